import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/models.en.json' with { type: 'json' }
import zh from '../messages/models.zh.json' with { type: 'json' }

/** Texts of prices, upstreams and books. */
export const modelTexts = defineTexts({ zh, en })
