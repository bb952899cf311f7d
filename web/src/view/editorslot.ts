/**
 * The place of the editor: plain text until the editor itself is loaded, which happens when the page is at rest.
 *
 * Invariant: what is asked of it before is done once the editor is there.
 */
import type { Diagnostic } from '../gen/Diagnostic.ts';
import type { FieldLine } from '../gen/FieldLine.ts';
import type { ManifestEditor } from './codemirror.ts';

/** What the page shows in the editor. */
export interface Shown {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly lines: readonly FieldLine[];
  /** Fields that took part in the decision that is shown, and the one that is pointed at. */
  readonly lit: readonly string[];
}

/** What the editor tells the page. */
export interface Told {
  readonly changed: (text: string) => void;
  readonly pointed: (field: string | null) => void;
}

export class EditorSlot {
  /** Where the page puts it. */
  readonly host = document.createElement('div');
  readonly #told: Told;
  #editor: ManifestEditor | null = null;
  #loading: Promise<ManifestEditor> | null = null;
  #shown: Shown | null = null;

  constructor(told: Told) {
    this.#told = told;
    this.host.className = 'manifest';
  }

  show(shown: Shown): void {
    this.#shown = shown;
    if (this.#editor !== null) this.#editor.show(shown);
    else if (this.#loading === null) this.host.textContent = shown.text;
  }

  /** Loads the editor, unless it is there. */
  load(): Promise<ManifestEditor> {
    this.#loading ??= import('./codemirror.ts').then(({ ManifestEditor: Editor }) => {
      this.host.textContent = '';
      this.#editor = new Editor(this.host, this.#told);
      if (this.#shown !== null) this.#editor.show(this.#shown);
      return this.#editor;
    });
    return this.#loading;
  }

  /** In another language: the words of the editor are set when it is made. */
  renew(): void {
    if (this.#editor === null) return;
    this.#editor.close();
    this.#editor = null;
    this.#loading = null;
    void this.load();
  }

  /** Puts the cursor there. */
  goTo(diagnostic: Diagnostic): void {
    void this.load().then((editor) => editor.goTo(diagnostic));
  }

  format(): void {
    void this.load().then((editor) => editor.format());
  }
}
