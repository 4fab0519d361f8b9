export const COMPENSATION_STATE_TEXT = { running: 'state_running', done: 'state_done', stopped: 'state_stopped' } as const
