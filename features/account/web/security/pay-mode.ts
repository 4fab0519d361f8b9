/** Mode of the payment password dialog. */
export type PayMode = 'input' | 'set' | 'reset' | 'modify'
