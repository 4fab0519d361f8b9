import { useLang } from '#platform/web/i18n.ts'
import zh from './about.zh.json' with { type: 'json' }

/** Returns a function that describes a setting in the operator's language; the code holds the English description. */
export function useSettingDescription(): (setting: { readonly key: string; readonly about: string }) => string {
  const lang = useLang()
  const texts: Readonly<Record<string, string>> = zh
  return ({ key, about }) => (lang === 'zh' ? (texts[key] ?? about) : about)
}
