import type { LucideIcon } from 'lucide-react'
import { useState } from 'react'
import * as icons from 'virtual:icons'
import { copyText } from '#platform/web/clipboard.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { EmptyState } from '#ui/error-state.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { toast } from '#ui/layers/toast.ts'
import { getVendorColor, SHOWN_VENDORS } from '#features/gateway/web/door.ts'
import { Dot } from '#ui/badge.tsx'
import { BrandMark } from '#ui/brand-mark.tsx'
import { LangSwitch } from '../choices/lang-switch.tsx'
import { ThemeChoice } from '../choices/theme-choice.tsx'
import { layerTexts } from '../layer-texts.ts'

const [LEAST, MOST, DEFAULT] = [12, 96, 36]

/** Code that a page writes to render the icon. */
const formatIconCode = (name: string, size: number) =>
  `import { ${name} } from 'lucide-react'\n\n<${name} size={${size}} strokeWidth={1.75} aria-hidden="true" />`

const allIcons = Object.entries(icons as Readonly<Record<string, LucideIcon>>)
/** Our own icons have various sizes: drawn 24 high and scaled. */
const ownIcons = [
  ['BrandMark', <BrandMark key="mark" className="h-6 w-[21px]" />, "import { BrandMark } from '#ui/brand-mark.tsx'\n\n<BrandMark />"],
  ...[...SHOWN_VENDORS.map(({ id }) => id), 'other'].map(
    (vendor) =>
      [
        `Dot ${vendor}`,
        <Dot key={vendor} color={getVendorColor(vendor)} className="size-4" />,
        `import { vendorColor } from '#features/gateway/web/door.ts'\nimport { Dot } from '#ui/badge.tsx'\n\n<Dot color={vendorColor('${vendor}')} />`,
      ] as const,
  ),
] as const

/** Page /test-icon: all icons in use (product.md 1.2). */
export function TestIcon() {
  const t = useTexts(layerTexts)
  useTitle(t('iconsTitle'))
  const [typed, setTyped] = useState('')
  const fits = (name: string) => name.toLowerCase().includes(typed.trim().toLowerCase())
  const [size, setSize] = useState(DEFAULT)
  const [what, setWhat] = useState<'name' | 'code'>('name')
  const scaled = { transform: `scale(${size / 24})` }
  const found = [
    ...ownIcons
      .filter(([name]) => fits(name))
      .map(
        ([name, mark, code]) =>
          [
            name,
            <span key={name} style={scaled}>
              {mark}
            </span>,
            code,
          ] as const,
      ),
    ...allIcons
      .filter(([name]) => fits(name))
      .map(([name, Icon]) => [name, <Icon key={name} size={size} strokeWidth={1.75} />, formatIconCode(name, size)] as const),
  ]
  const copy = (name: string, code: string) =>
    void copyText(what === 'code' ? code : name).then((done) => done && toast.success(t(what === 'code' ? 'iconCodeCopied' : 'iconCopied', { name })))
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
      <div className="mb-6 flex flex-wrap items-end gap-x-6 gap-y-3">
        <TextField
          type="search"
          label={t('iconsSearch')}
          aside={<span className="text-13 text-fg-3">{t('iconCount', { n: found.length })}</span>}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          fieldClassName="max-w-md desktop:w-96 mobile:w-full"
        />
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          <Segmented
            label={t('iconCopies')}
            value={what}
            onChange={setWhat}
            items={[
              { value: 'name', label: t('iconCopyName') },
              { value: 'code', label: t('iconCopyCode') },
            ]}
          />
          <label className="flex items-center gap-3 text-14">
            {t('iconSize')}
            <input type="range" min={LEAST} max={MOST} value={size} onChange={(event) => setSize(Number(event.target.value))} className="w-40 accent-brand" />
            <span className="num w-12 text-13 text-fg-2">{size} px</span>
          </label>
        </div>
      </div>
      {found.length ? null : <EmptyState title={t('iconsNone', { typed })} />}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(136px,1fr))] gap-2">
        {found.map(([name, icon, code]) => (
          <li key={name}>
            <button
              type="button"
              onClick={() => copy(name, code)}
              className="card flex min-h-28 w-full flex-col items-center justify-center gap-3 overflow-hidden px-2 py-3 text-12 text-fg-2 hover:border-control hover:text-fg"
            >
              <span className="flex items-center justify-center" style={{ height: Math.max(24, size) }} aria-hidden="true">
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
