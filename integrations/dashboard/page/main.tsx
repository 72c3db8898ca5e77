import { render } from 'preact';
import { Api } from './lib/api.js';
import { Client } from './lib/client.js';
import { App } from './shell/app.js';
import './style/page.css';

const base = new URL(document.baseURI).pathname;
const client = new Client(new Api(base, (...request) => fetch(...request)));
void client.start();
document.addEventListener('visibilitychange', () => client.visibility(document.hidden));

const place = document.getElementById('page');
if (place) render(<App client={client} base={base} />, place);
