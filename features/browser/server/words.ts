import { mapLangs } from '#platform/shared/map-langs.ts'
import { defineTexts, type Texts } from '#platform/shared/texts.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

const serverTexts = defineTexts({ zh, en })

const textsBelow = (texts: Texts, prefix: string): Texts =>
  mapLangs((lang) =>
    Object.fromEntries(Object.entries(texts[lang]).flatMap(([key, text]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), text]] : []))),
  )

/** Names of the two services, their states and causes: `package_title`, `account_state_done`. */
export const browserPackageWords = textsBelow(serverTexts, 'package_')
export const accountWords = textsBelow(serverTexts, 'account_')
