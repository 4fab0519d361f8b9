import { useTexts } from '#platform/web/i18n.ts'
import { setTheme, THEMES, useTheme } from '#platform/web/theme.ts'
import { Segmented } from '#ui/fields/segmented.tsx'
import { shellTexts } from '../texts.ts'

const words = { light: 'themeLight', dark: 'themeDark', system: 'themeSystem' } as const

export function ThemeChoice() {
  const t = useTexts(shellTexts)
  const theme = useTheme((state) => state.theme)
  return <Segmented label={t('theme')} value={theme} onChange={setTheme} items={THEMES.map((value) => ({ value, label: t(words[value]) }))} />
}
