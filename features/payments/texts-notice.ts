import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/notice.en.json' with { type: 'json' }
import zh from './messages/notice.zh.json' with { type: 'json' }

/** Texts of the pages and dialogs that explain payments, loaded with them. */
export const noticeTexts = defineTexts({ zh, en })
