import { useEffect } from 'react'
import { useLang } from './i18n.ts'
import { site } from './site.ts'

/** The document's title in the user's language: 页面 · 明细. */
export function useTitle(page: string): void {
  const lang = useLang()
  useEffect(() => {
    document.title = `${page} · ${lang === 'zh' ? site.brandZh : site.brand}`
  }, [page, lang])
}
