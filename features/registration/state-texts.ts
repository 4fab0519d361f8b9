export const REGISTRATION_REG_STATE_TEXT = {
  failed: 'regState_failed',
  draft: 'regState_draft',
  registering: 'regState_registering',
  success: 'regState_success',
} as const
