import { setLang, useLang, useTexts } from '#platform/web/i18n.ts'
import { Segmented } from '#ui/fields/segmented.tsx'
import { shellTexts } from '../texts.ts'
import { LANGS } from '#platform/shared/languages.ts'

const NAMES = { zh: '\u4e2d\u6587', en: 'English' } as const

/** Names the other language in that language. */
export function LangSwitch({ className = '' }: { readonly className?: string }) {
  const t = useTexts(shellTexts)
  const lang = useLang()
  const other = lang === 'zh' ? 'en' : 'zh'
  const label = t(other === 'en' ? 'toEn' : 'toZh')
  return (
    <button type="button" onClick={() => setLang(other)} aria-label={label} title={label} className={`icon-btn px-2 text-14 font-medium ${className}`}>
      <span aria-hidden="true">{other === 'en' ? 'EN' : '\u4e2d'}</span>
    </button>
  )
}

/** Both languages side by side, each in its own name. */
export function LangChoice() {
  const t = useTexts(shellTexts)
  const lang = useLang()
  return <Segmented label={t('language')} value={lang} onChange={setLang} items={LANGS.map((value) => ({ value, label: NAMES[value] }))} />
}
