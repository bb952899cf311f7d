// Rules of the page's code: strict and type-aware, and no file longer than a room.
import js from '@eslint/js';
import globals from 'globals';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  { ignores: ['dist', '.out', 'src/gen', 'test-results', 'screenshots'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      globals: globals.browser,
      parserOptions: {
        project: ['./tsconfig.json', './tsconfig.test.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 60 }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      eqeqeq: 'error',
    },
  },
  {
    // `node --test` returns promises that nobody has to await.
    files: ['test/**/*.ts', 'e2e/**/*.ts'],
    languageOptions: { globals: globals.node },
    rules: { '@typescript-eslint/no-floating-promises': 'off', 'max-lines-per-function': 'off' },
  },
  { files: ['**/*.{js,mjs}'], languageOptions: { globals: globals.node } },
  // What such a script hands to the browser runs there.
  { files: ['scripts/budgets.mjs', 'scripts/screenshots.mjs'], languageOptions: { globals: globals.browser } },
  { files: ['scripts/service-worker.js'], languageOptions: { globals: globals.serviceworker } },
);
