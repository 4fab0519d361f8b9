import { useTexts, useLang } from '#platform/web/i18n.ts'
import { Segmented } from '#ui/fields/segmented.tsx'
import { accountTexts } from '../../texts.ts'
import type { ContactWay } from '../fields/identity-field.tsx'

const AUTH_WAY_TEXT = { email: 'auth_way_email', mobile: 'auth_way_mobile' } as const satisfies Record<ContactWay, keyof typeof accountTexts.zh>

interface WayTabsProps {
  readonly value: ContactWay
  readonly onChange: (way: ContactWay) => void
}

/** Mobile or e-mail; the one that readers of this language use most stands first. */
export function WayTabs({ value, onChange }: WayTabsProps) {
  const t = useTexts(accountTexts)
  const ways: readonly ContactWay[] = useLang() === 'zh' ? ['mobile', 'email'] : ['email', 'mobile']
  return (
    <Segmented
      label={t('auth_way')}
      value={value}
      onChange={onChange}
      className="flex! [&>button]:flex-1 [&>button]:justify-center [&>button]:py-1.5 [&>button]:text-14"
      items={ways.map((way) => ({ value: way, label: t(AUTH_WAY_TEXT[way]) }))}
    />
  )
}
