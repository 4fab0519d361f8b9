import type { LucideIcon } from 'lucide-react'
import { useState } from 'react'
import * as icons from 'virtual:icons'
import { copyText } from '#platform/web/clipboard.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { toast } from '#ui/layers/toast.ts'
import { VendorDot } from '#ui/vendor.tsx'
import { BrandMark } from '../layout/brand.tsx'
import { LangSwitch } from '../layout/menus/lang-switch.tsx'
import { ThemeChoice } from '../layout/menus/theme-choice.tsx'
import { layerTexts } from '../layer-texts.ts'

const all = Object.entries(icons as Readonly<Record<string, LucideIcon>>)
const own = [
  ['BrandMark', <BrandMark key="mark" className="h-6 w-[21px]" />],
  ...['openai', 'anthropic', 'google', 'cohere', 'other'].map(
    (vendor) => [`VendorDot ${vendor}`, <VendorDot key={vendor} vendor={vendor} className="size-4" />] as const,
  ),
] as const

/** /test-icon: what is there to draw with (specification 1, section 2). */
export function TestIcon() {
  const t = useTexts(layerTexts)
  useTitle(t('iconsTitle'))
  const [typed, setTyped] = useState('')
  const fits = (name: string) => name.toLowerCase().includes(typed.trim().toLowerCase())
  const found = [
    ...own.filter(([name]) => fits(name)),
    ...all.filter(([name]) => fits(name)).map(([name, Icon]) => [name, <Icon key={name} size={24} strokeWidth={1.75} />] as const),
  ]
  const copy = (name: string) => void copyText(name).then((done) => done && toast.success(t('iconCopied', { name })))
  return (
    <main id="main" tabIndex={-1} className="wrap-1200 py-10">
      <header className="mb-6 flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="text-28">{t('iconsTitle')}</h1>
          <p className="text-fg-2">{t('iconsLead')}</p>
        </div>
        <div className="flex items-center gap-2">
          <LangSwitch />
          <ThemeChoice />
        </div>
      </header>
      <TextField
        type="search"
        label={t('iconsSearch')}
        aside={<span className="text-13 text-fg-3">{t('iconCount', { n: found.length })}</span>}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        fieldClassName="mb-6 max-w-md"
      />
      {found.length ? null : <EmptyState title={t('iconsNone', { typed })} />}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(136px,1fr))] gap-2">
        {found.map(([name, icon]) => (
          <li key={name}>
            <button
              type="button"
              onClick={() => copy(name)}
              className="card flex h-28 w-full flex-col items-center justify-center gap-3 px-2 text-12 text-fg-2 hover:border-control hover:text-fg"
            >
              <span className="flex h-6 items-center" aria-hidden="true">
                {icon}
              </span>
              <span className="max-w-full [overflow-wrap:anywhere]">{name}</span>
            </button>
          </li>
        ))}
      </ul>
    </main>
  )
}
