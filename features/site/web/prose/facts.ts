import { useMemo } from 'react'
import { useLang } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'

/** What stands for {{name}} in articles, samples and the search index. */
export type Facts = Readonly<Record<'origin' | 'host' | 'brand' | 'company' | 'email', string>>

export function useFacts(): Facts {
  const lang = useLang()
  return useMemo(
    () => ({
      origin: site.origin,
      host: new URL(site.origin).host,
      brand: lang === 'zh' ? site.brandZh : site.brand,
      company: site.company,
      email: site.supportEmail,
    }),
    [lang],
  )
}

export function fillFacts(text: string, facts: Facts): string {
  return text.includes('{{') ? text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => facts[name as keyof Facts] ?? whole) : text
}
