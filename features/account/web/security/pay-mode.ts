/** What the dialog of the payment password is open for. */
export type PayMode = 'input' | 'set' | 'reset' | 'modify'
