import { defineTexts, type TextKeyOf } from '#platform/shared/texts.ts'
import en from './messages/withdraw.en.json' with { type: 'json' }
import zh from './messages/withdraw.zh.json' with { type: 'json' }

/** Texts of the withdrawal dialog and pages, loaded with them and not with every payment. */
export const withdrawTexts = defineTexts({ zh, en })
export type WithdrawTextKey = TextKeyOf<typeof withdrawTexts>
