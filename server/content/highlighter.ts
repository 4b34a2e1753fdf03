import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore, type LanguageInput } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { bundledLanguages } from 'shiki/langs';

export interface Token {
  text: string;
  /** `keyword`, `string`, …; absent for plain text. */
  kind?: string;
}

/** Shiki behind a small seam: code and language in, lines of classed tokens out; grammars are loaded on first use. */
export interface Highlighter {
  /** Loads these languages' grammars; unknown ones are skipped. */
  load(languages: Iterable<string>): Promise<void>;
  /** Tokens by line, or undefined when the language is unknown. */
  tokens(code: string, language: string): Token[][] | undefined;
}

const theme = createCssVariablesTheme({ name: 'classes', variablePrefix: '--', fontStyle: false });
const aliases: Record<string, string> = {
  env: 'dotenv',
  conf: 'ini',
  cfg: 'ini',
  golang: 'go',
  'c++': 'cpp',
  htm: 'html',
};
const languages = new Map<string, LanguageInput>(Object.entries(bundledLanguages));
// A longer listing is data rather than reading matter.
const longest = 100_000;

/** Creates a highlighter with no language loaded. */
export async function createHighlighter(): Promise<Highlighter> {
  const core = await createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const loaded = new Set<string>();
  return {
    async load(names) {
      for (const name of names) await loadLanguage(core, loaded, known(name));
    },
    tokens(code, language) {
      const name = known(language);
      if (!loaded.has(name) || code.length > longest) return undefined;
      // No time limit: a busy machine would colour the same code differently, and that would be stored.
      const limits = { tokenizeMaxLineLength: 2000, tokenizeTimeLimit: 0 };
      const lines = core.codeToTokensBase(code, { lang: name, theme: 'classes', ...limits });
      return lines.map((line) => joined(line.map(({ content, color }) => token(content, color))));
    },
  };
}

function known(name: string): string {
  return aliases[name] ?? name;
}

async function loadLanguage(core: HighlighterCore, loaded: Set<string>, name: string): Promise<void> {
  const input = languages.get(name);
  if (loaded.has(name) || !input) return;
  await core.loadLanguage(input);
  loaded.add(name);
}

function token(text: string, color: string | undefined): Token {
  const kind = /--token-([\w-]+)/.exec(color ?? '')?.[1];
  return kind && /\S/.test(text) ? { text, kind } : { text };
}

/** Adjacent tokens of one kind become one token: fewer elements on the page. */
function joined(tokens: Token[]): Token[] {
  const made: Token[] = [];
  for (const next of tokens) {
    const last = made.at(-1);
    if (last && last.kind === next.kind) last.text += next.text;
    else made.push(next);
  }
  return made;
}
