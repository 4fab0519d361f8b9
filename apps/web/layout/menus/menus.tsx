import { AccountMenu } from './account-menu.tsx'
import { Monitor, Moon, Sun } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { setTheme, THEMES, useTheme } from '#platform/web/theme.ts'
import { Menu } from '#ui/layers/menu.tsx'
import type { MenuItem } from '#ui/layers/menu.tsx'
import { shellTexts } from '../../texts.ts'

const words = { light: 'themeLight', dark: 'themeDark', system: 'themeSystem' } as const
const icons = { light: Sun, dark: Moon, system: Monitor }

function useThemeItems(): readonly MenuItem[] {
  const t = useTexts(shellTexts)
  const theme = useTheme((state) => state.theme)
  return THEMES.map((value) => {
    const Icon = icons[value]
    return {
      key: value,
      label: t(words[value]),
      icon: <Icon size={16} strokeWidth={1.75} aria-hidden="true" />,
      checked: value === theme,
      onSelect: () => setTheme(value),
    }
  })
}

function ThemeMenu() {
  const t = useTexts(shellTexts)
  const theme = useTheme((state) => state.theme)
  const items = useThemeItems()
  const Icon = icons[theme]
  return (
    <Menu
      groups={[items]}
      trigger={
        <button type="button" className="icon-btn" aria-label={t('theme')} title={t('theme')}>
          <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
        </button>
      }
    />
  )
}

interface MenusProps {
  readonly signedIn: boolean
  readonly mobile: boolean
}

/** Separate chunk, because menus are a quarter of the shell's code and none is opened in the first second. */
export function Menus({ signedIn, mobile }: MenusProps) {
  return (
    <>
      {mobile ? null : <ThemeMenu />}
      {signedIn ? <AccountMenu /> : null}
    </>
  )
}
