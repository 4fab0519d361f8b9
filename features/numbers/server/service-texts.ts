import type { Lang } from '#platform/shared/texts.ts'
import en from './messages/en.json' with { type: 'json' }
import packsEn from './messages/packs.en.json' with { type: 'json' }
import packsZh from './messages/packs.zh.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

type TextsByLang = Readonly<Record<Lang, Readonly<Record<string, string>>>>

/** Names of states and causes in records, mails and at the desk. */
export const numberServiceTexts: { readonly numbers: TextsByLang; readonly packs: TextsByLang } = { numbers: { zh, en }, packs: { zh: packsZh, en: packsEn } }
