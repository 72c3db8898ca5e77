import type { Theme } from '../lib/page-context.js';

export interface ThemeSwitchProps {
  /** Undefined follows the system. */
  readonly chosen: Theme | undefined;
  readonly choose: (theme: Theme | undefined) => void;
}

export function ThemeSwitch({ chosen, choose }: ThemeSwitchProps) {
  return (
    <label class="theme-switch">
      Colours
      <select value={chosen ?? ''} onChange={({ currentTarget: { value } }) => choose(themeOf(value))}>
        <option value="">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}

export function themeOf(text: string | undefined): Theme | undefined {
  return text === 'light' || text === 'dark' ? text : undefined;
}
