import { DEFAULT_STORE } from '../../terminal/look.js';
import { path } from '../check.js';

export const storeCheck = path("a folder, such as './rsi_data'", { fallback: DEFAULT_STORE });
