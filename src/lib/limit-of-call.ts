/** Words in the error of a task that the caller's own `timeoutMs` ended. The loop recognizes it by them. */
export const LIMIT_OF_CALL = '(timeoutMs of the call)';
