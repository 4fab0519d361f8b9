import { setLang, useLang, useTexts } from '#platform/web/i18n.ts'
import { Segmented } from '#ui/fields/segmented.tsx'
import { shellTexts } from '../texts.ts'
import { LANGS, nextLang, LANGUAGES } from '#platform/shared/languages.ts'

/** Selects the next language, named in that language. */
export function LangSwitch({ className = '' }: { readonly className?: string }) {
  const t = useTexts(shellTexts)
  const other = nextLang(useLang())
  const label = t('switchTo', { name: LANGUAGES[other].name })
  return (
    <button type="button" onClick={() => setLang(other)} aria-label={label} title={label} className={`icon-btn px-2 text-14 font-medium ${className}`}>
      <span aria-hidden="true">{LANGUAGES[other].short}</span>
    </button>
  )
}

/** All languages side by side, each in its own name. */
export function LangChoice() {
  const t = useTexts(shellTexts)
  const lang = useLang()
  return <Segmented label={t('language')} value={lang} onChange={setLang} items={LANGS.map((value) => ({ value, label: LANGUAGES[value].name }))} />
}
