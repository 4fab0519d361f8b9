import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/card-movements.en.json' with { type: 'json' }
import zh from './messages/card-movements.zh.json' with { type: 'json' }

/** Names of the movements of cards: part of the table in contract-movements.ts, by itself so that card pages load no other names. */
export const cardMovementTexts = defineTexts({ zh, en })
