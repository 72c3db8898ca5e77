import { spawn } from 'node:child_process';

/** Opens an address in the browser of the user. Does nothing on a machine without one. */
export function openBrowser(url: string, platform: NodeJS.Platform = process.platform): void {
  const [command, ...before] = COMMANDS[platform] ?? ['xdg-open'];
  if (command === undefined) return;
  const child = spawn(command, [...before, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

const COMMANDS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
