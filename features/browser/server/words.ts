import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

const textsBelow = (all: Readonly<Record<string, string>>, prefix: string) =>
  Object.fromEntries(Object.entries(all).flatMap(([key, text]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), text]] : [])))

/** Names of the two services, their states and causes: `package_title`, `account_state_done`. */
export const browserPackageWords = { zh: textsBelow(zh, 'package_'), en: textsBelow(en, 'package_') }
export const accountWords = { zh: textsBelow(zh, 'account_'), en: textsBelow(en, 'account_') }
