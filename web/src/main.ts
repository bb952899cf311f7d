/** The page: puts the parts together and starts with what the address says, else with a preset. */
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
import './styles/sheets.css';
import './styles/layout.css';
import { render } from 'lit';
import { PRESETS } from '../presets/index.ts';
import { App } from './app.ts';
import { Client } from './engine/client.ts';
import { keepLanguage, textsOf, wantedLanguage, type Language } from './language.ts';
import { initialState, type State } from './model/state.ts';
import { registerOffline } from './offline.ts';
import { Pace } from './pace.ts';
import { keepInAddress, openAddress } from './share.ts';
import { say, speak } from './text.ts';
import { EditorSlot } from './view/editorslot.ts';
import { afterDraw } from './view/focus.ts';
import { listenToKeys } from './view/keys.ts';
import { watchScroll } from './view/lanes.ts';
import { page } from './view/page.ts';
import { applyStoredTheme } from './view/theme.ts';

const FIRST = 'indexed';

/** Milliseconds of rest before the session is written into the address. */
const ADDRESS_REST = 300;

class Page {
  readonly #root: HTMLElement;
  readonly #main: Client;
  readonly #explorer: Client;
  readonly #pace = new Pace();
  readonly #editor: EditorSlot;
  readonly app: App;
  #language: Language;

  constructor(root: HTMLElement, language: Language) {
    this.#root = root;
    this.#language = language;
    const spawn = (): Worker => new Worker(new URL('./engine/worker.ts', import.meta.url), { type: 'module' });
    this.#main = new Client(spawn);
    this.#main.warm();
    this.#explorer = new Client(spawn);
    this.#editor = new EditorSlot({ changed: (text) => this.app.edit(text), pointed: (field) => this.app.pointAt(field) });
    const first = PRESETS.find((preset) => preset.id === FIRST) ?? PRESETS[0];
    const start = initialState(first?.id ?? '', first?.text ?? '', first?.outcomes ?? '');
    const clients = { main: this.#main, explorer: this.#explorer };
    this.app = new App(start, PRESETS, clients, this.#pace, (state) => this.draw(state));
  }

  async start(): Promise<void> {
    await this.#speak(this.#language);
    this.draw(this.app.state);
    listenToKeys(this.app);
    watchScroll(this.app);
    addEventListener('hashchange', () => void this.#follow());
    await this.#follow();
    await this.#editor.load();
    registerOffline();
  }

  draw(state: State): void {
    const speech = { language: this.#language, choose: (language: Language) => void this.#change(language) };
    render(page(state, this.app, this.#editor, speech), this.#root);
    const fields = state.frame?.decision?.fields ?? [];
    const lit = state.field === null ? fields : [state.field];
    this.#editor.show({ text: state.text, diagnostics: state.diagnostics, lines: state.lines, lit });
    afterDraw(state);
    if (state.frame !== null && !state.playing && !state.stale) this.#pace.later('address', ADDRESS_REST, () => void keepInAddress(this.app));
  }

  /** Opens what the address says; what it says wrongly gives a message, and the first preset. */
  async #follow(): Promise<void> {
    const opened = await openAddress(this.app);
    if (opened !== null && 'saved' in opened) {
      await this.app.open(opened.saved);
      return;
    }
    this.app.choose(this.app.state.preset === '' ? FIRST : this.app.state.preset);
    if (opened !== null) this.app.notice(say(`ui.link.${opened.problem}`));
  }

  async #speak(language: Language): Promise<void> {
    const texts = await textsOf(language);
    speak(texts);
    this.#main.speak(texts);
    this.#explorer.speak(texts);
    this.#language = language;
    document.documentElement.lang = language;
  }

  /** Another language: engine, page and editor start anew at the same place. */
  async #change(language: Language): Promise<void> {
    keepLanguage(language);
    await this.#speak(language);
    await this.app.reload();
    this.#editor.renew();
  }
}

applyStoredTheme();
const root = document.getElementById('app');
if (root !== null) void new Page(root, wantedLanguage()).start();
