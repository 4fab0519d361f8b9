import { Languages, Moon, Sun } from 'lucide-react'
import { setLang, useLang, useTexts } from '#platform/web/i18n.ts'
import { setTheme, useTheme } from '#platform/web/theme.ts'
import { kitTexts } from './texts.ts'
import { LANGUAGES, nextLang } from '#platform/shared/languages.ts'

/** Buttons that switch language and theme. */
export function AppearanceSwitches() {
  const t = useTexts(kitTexts)
  const lang = useLang()
  const dark = useTheme(({ theme }) => theme) !== 'light'
  return (
    <div className="flex">
      <button
        type="button"
        aria-label={LANGUAGES[nextLang(lang)].name}
        title={LANGUAGES[nextLang(lang)].name}
        className="icon-btn"
        onClick={() => setLang(nextLang(lang))}
      >
        <Languages size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <button
        type="button"
        aria-label={t(dark ? 'lightTheme' : 'darkTheme')}
        title={t(dark ? 'lightTheme' : 'darkTheme')}
        className="icon-btn"
        onClick={() => setTheme(dark ? 'light' : 'dark')}
      >
        {dark ? <Sun size={16} strokeWidth={1.75} aria-hidden="true" /> : <Moon size={16} strokeWidth={1.75} aria-hidden="true" />}
      </button>
    </div>
  )
}
