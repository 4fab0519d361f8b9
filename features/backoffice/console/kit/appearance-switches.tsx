import { Languages, Moon, Sun } from 'lucide-react'
import { setLang, useLang, useTexts } from '#platform/web/i18n.ts'
import { setTheme, useTheme } from '#platform/web/theme.ts'
import { kitTexts } from './texts.ts'

/** Buttons that switch language and theme. */
export function AppearanceSwitches() {
  const t = useTexts(kitTexts)
  const lang = useLang()
  const dark = useTheme(({ theme }) => theme) !== 'light'
  return (
    <div className="flex">
      <button
        type="button"
        aria-label={t('otherLanguage')}
        title={t('otherLanguage')}
        className="icon-btn"
        onClick={() => setLang(lang === 'zh' ? 'en' : 'zh')}
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
