import { setLang, useLang, useTexts } from '#platform/web/i18n.ts'
import { setTheme, THEMES, useTheme, type Theme } from '#platform/web/theme.ts'
import { Segmented } from '#ui/fields/segmented.tsx'
import type { Lang } from '#platform/shared/texts.ts'
import { securityTexts } from '../../texts-security.ts'
import { profileApi } from '../security/api.ts'

const LOOK_TEXT = { system: 'look_system', light: 'look_light', dark: 'look_dark' } as const satisfies Record<Theme, keyof typeof securityTexts.zh>

/** Language and theme: at once here, and kept with the account for mails and other devices. */
export function LookSection() {
  const t = useTexts(securityTexts)
  const lang = useLang()
  const theme = useTheme((state) => state.theme)
  // the choice holds on this device even when the server cannot be told
  const tell = (change: { language: Lang } | { theme: Theme }) => void profileApi.updateUserInfo(change).catch(() => undefined)
  return (
    <div className="card divide-y divide-dashed divide-line px-5 mobile:px-4">
      <div className="flex flex-wrap items-center justify-between gap-3 py-3.5">
        <div className="text-14">
          <p className="font-medium">{t('look_language')}</p>
          <p className="text-13 text-fg-3">{t('look_language_note')}</p>
        </div>
        <Segmented
          label={t('look_language')}
          value={lang}
          onChange={(next: Lang) => {
            setLang(next)
            tell({ language: next })
          }}
          items={[
            { value: 'zh', label: t('look_zh') },
            { value: 'en', label: t('look_en') },
          ]}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3 py-3.5">
        <p className="text-14 font-medium">{t('look_theme')}</p>
        <Segmented
          label={t('look_theme')}
          value={theme}
          onChange={(next: Theme) => {
            setTheme(next)
            tell({ theme: next })
          }}
          items={THEMES.map((value) => ({ value, label: t(LOOK_TEXT[value]) }))}
        />
      </div>
    </div>
  )
}
