import { useEffect, useState } from 'preact/hooks';
import { keepChoice, keptChoice } from '../lib/kept-choice.js';
import type { Theme } from '../lib/page-context.js';
import { type ThemeSwitchProps, themeOf } from './theme-switch.js';

/** Theme of the page: chosen by the reader, otherwise that of the system. */
export function useTheme(): ThemeSwitchProps & { readonly theme: Theme } {
  const [chosen, setChosen] = useState(() => themeOf(keptChoice('theme')));
  const [system, setSystem] = useState<Theme>(() => systemTheme().theme);
  useEffect(() => {
    const { query } = systemTheme();
    const follow = () => setSystem(systemTheme().theme);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  const theme = chosen ?? system;
  // Set while drawing, because charts read the colours of the theme right after.
  document.documentElement.dataset.theme = theme;
  return {
    theme,
    chosen,
    choose: (next) => {
      keepChoice('theme', next);
      setChosen(next);
    },
  };
}

function systemTheme(): { readonly query: MediaQueryList; readonly theme: Theme } {
  const query = matchMedia('(prefers-color-scheme: dark)');
  return { query, theme: query.matches ? 'dark' : 'light' };
}
