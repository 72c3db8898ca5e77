import { spawn } from 'node:child_process';
import type { Message } from './message.js';

/** Program with its arguments and variables. Texts are never part of a script. */
export interface DesktopCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const MAX_BODY = 300;

const APPLE_SCRIPT = [
  ...['-e', 'on run argv'],
  ...['-e', 'display notification (item 2 of argv) with title (item 1 of argv)'],
  ...['-e', 'end run'],
];

const POWERSHELL = [
  '[void][Windows.UI.Notifications.ToastNotificationManager,Windows.UI.Notifications,ContentType=WindowsRuntime]',
  '$x=[Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent(1)',
  "$t=$x.GetElementsByTagName('text')",
  '[void]$t[0].AppendChild($x.CreateTextNode($env:RSI_ALERT_TITLE))',
  '[void]$t[1].AppendChild($x.CreateTextNode($env:RSI_ALERT_BODY))',
  "$id='{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'",
  '$n=New-Object Windows.UI.Notifications.ToastNotification $x',
  '[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($id).Show($n)',
].join(';');

/** Returns the program that shows a message on this platform. */
export function desktopCommand({ title, lines }: Message, platform: NodeJS.Platform): DesktopCommand {
  const body = lines.join('\n').slice(0, MAX_BODY) || ' ';
  if (platform === 'darwin') return { command: 'osascript', args: [...APPLE_SCRIPT, '--', title, body] };
  if (platform === 'win32') {
    const args = ['-NoProfile', '-NonInteractive', '-Command', POWERSHELL];
    return { command: 'powershell.exe', args, environment: { RSI_ALERT_TITLE: title, RSI_ALERT_BODY: body } };
  }
  // Some servers read the body as markup.
  const text = body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { command: 'notify-send', args: ['--app-name=rsi', '--', title, text] };
}

/** Shows a message. Rejects if the program is missing, fails or is aborted. Does not keep the process alive. */
export function showOnDesktop(message: Message, signal: AbortSignal): Promise<void> {
  const { command, args, environment } = desktopCommand(message, process.platform);
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...environment };
    const child = spawn(command, args, { stdio: 'ignore', env, signal, windowsHide: true });
    child.unref();
    child.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'ENOENT' ? new Error(`${command} is not installed`) : error);
    });
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))));
  });
}
