import { useEffect } from 'react'
import { useLang } from './i18n.ts'
import { site } from './site.ts'
import { chooseBrand } from '#platform/shared/languages.ts'

/** The document's title in the user's language: 页面 · 明细. */
export function useTitle(page: string): void {
  const lang = useLang()
  useEffect(() => {
    document.title = `${page} · ${chooseBrand(lang, site)}`
  }, [page, lang])
}
