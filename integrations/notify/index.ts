export { notifier } from './notifier.js';
export { type Delivered, type Note, notifyOnce } from './notify-once.js';
export {
  ALERTS,
  type Alert,
  type NotifyFetch,
  type NotifyOptions,
  type NotifyTarget,
} from './notify-options.js';
export { readNotifyOptions } from './read-options.js';
