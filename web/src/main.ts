/** The page: puts the parts together and starts with an example. */
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/header.css';
import './styles/editor.css';
import './styles/pods.css';
import './styles/lanes.css';
import './styles/decision.css';
import './styles/timeline.css';
import './styles/layout.css';
import { render } from 'lit';
import { EXAMPLES } from '../examples/index.ts';
import { App } from './app.ts';
import { Client } from './engine/client.ts';
import { initialState, type State } from './model/state.ts';
import { Pace } from './pace.ts';
import { ManifestEditor } from './view/codemirror.ts';
import { afterDraw } from './view/focus.ts';
import { listenToKeys } from './view/keys.ts';
import { page } from './view/page.ts';
import { applyStoredTheme } from './view/theme.ts';

const FIRST = 'indexed';

function start(root: HTMLElement): void {
  applyStoredTheme();
  const first = EXAMPLES.find((example) => example.id === FIRST) ?? EXAMPLES[0];
  if (first === undefined) return;
  const client = new Client(() => new Worker(new URL('./engine/worker.ts', import.meta.url), { type: 'module' }));
  const editor = new ManifestEditor((text) => app.edit(text));
  const draw = (state: State): void => {
    render(page(state, app, editor), root);
    editor.show(state.text, state.diagnostics);
    afterDraw(state);
  };
  const app = new App(initialState(first.id, first.text, first.outcomes), EXAMPLES, client, new Pace(), draw);
  draw(app.state);
  listenToKeys(app);
  void app.load();
}

const root = document.getElementById('app');
if (root !== null) start(root);
