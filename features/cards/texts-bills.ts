import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/bills.en.json' with { type: 'json' }
import zh from './messages/bills.zh.json' with { type: 'json' }

/** A card's book, its papers and disputes. */
export const billTexts = defineTexts({ zh, en })
