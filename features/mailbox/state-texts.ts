export const MAILBOX_BOX_STATE_TEXT = {
  success: 'boxState_success',
  failed: 'boxState_failed',
  draft: 'boxState_draft',
  generating: 'boxState_generating',
  fresh: 'boxState_fresh',
  ended: 'boxState_ended',
} as const
