import type { Translate } from '#platform/web/i18n.ts'
import { TOPICS } from '../contract.ts'
import type { supportPageTexts } from '../texts.ts'

const TOPIC_TEXT = { recharge: 'topic_recharge', api: 'topic_api', account: 'topic_account', general: 'topic_general' } as const

/** The topic's name; one that this page does not know yet is a general one. */
export function translateTopic(t: Translate<keyof typeof supportPageTexts.zh>, topic: string): string {
  return t(TOPIC_TEXT[TOPICS.find((one) => one === topic) ?? 'general'])
}
