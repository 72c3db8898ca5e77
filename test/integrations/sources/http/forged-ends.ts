import { request } from 'node:http';

/** Sends the end of a task from an address of the loopback, and returns the status of the answer. */
function sendEnd(url: string, id: string, localAddress: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', connection: 'close' };
    const sending = request(`${url}/tasks/${id}/end`, { method: 'POST', headers, localAddress });
    sending.on('error', reject).on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sending.end('{"success":false,"error":"forged"}');
  });
}

/** Begins tasks under ids that are easily guessed and lets another sender end each: returns how many of those ends were taken. */
export async function forgeEnds(url: string, count: number): Promise<number> {
  let taken = 0;
  for (let number = 0; number < count; number++) {
    const id = `build-${number}`;
    await fetch(`${url}/tasks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ task: 'deploy', id }),
    });
    if ((await sendEnd(url, id, '127.0.0.2')) !== 403) taken++;
    if ((await sendEnd(url, id, '127.0.0.1')) !== 201) taken++;
  }
  return taken;
}
