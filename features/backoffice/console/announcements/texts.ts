import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/announcements.en.json' with { type: 'json' }
import zh from '../messages/announcements.zh.json' with { type: 'json' }

export const announcementTexts = defineTexts({ zh, en })
