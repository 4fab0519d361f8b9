import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/notice.en.json' with { type: 'json' }
import zh from './messages/notice.zh.json' with { type: 'json' }

/** Pages and dialogs that explain how one pays: loaded with them. */
export const noticeTexts = defineTexts(zh, en)
