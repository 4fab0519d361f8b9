import { defineTexts, type TextKeyOf } from '#platform/shared/texts.ts'
import en from './messages/withdraw.en.json' with { type: 'json' }
import zh from './messages/withdraw.zh.json' with { type: 'json' }

/** The dialog and the pages of withdrawals: loaded with them, not with every payment. */
export const withdrawTexts = defineTexts(zh, en)
export type WithdrawTextKey = TextKeyOf<typeof withdrawTexts>
