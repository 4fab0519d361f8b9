import { Monitor, Moon, Sun } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { useTheme } from '#platform/web/theme.ts'
import { shellTexts } from '../../texts.ts'
import { DropPanel } from './drop-panel.tsx'
import { ThemeChoice } from '../../choices/theme-choice.tsx'

const icons = { light: Sun, dark: Moon, system: Monitor }

/** Theme menu in the public header. */
export function ThemeDrop() {
  const t = useTexts(shellTexts)
  const Icon = icons[useTheme((state) => state.theme)]
  return (
    <DropPanel label={t('theme')} buttonClass="icon-btn" panelClass="right-0 w-max p-2" button={<Icon size={18} strokeWidth={1.75} aria-hidden="true" />}>
      <ThemeChoice />
    </DropPanel>
  )
}
