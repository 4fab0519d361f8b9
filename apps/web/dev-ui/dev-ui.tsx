import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { LangSwitch } from '../choices/lang-switch.tsx'
import { ThemeChoice } from '../choices/theme-choice.tsx'
import { ButtonsShow, FormsShow } from './forms-show.tsx'
import { ChartShow, DataShow } from './data-show.tsx'
import { LayersShow } from './layers-show.tsx'
import { ClocksShow } from './clocks-show.tsx'
import { ReceiptsShow } from './receipts-show.tsx'
import { StatesShow, TypeShow } from './states-show.tsx'
import { devTexts } from './texts.ts'

const shows = [
  ['s_type', TypeShow],
  ['s_buttons', ButtonsShow],
  ['s_forms', FormsShow],
  ['s_data', DataShow],
  ['s_chart', ChartShow],
  ['s_receipts', ReceiptsShow],
  ['s_clocks', ClocksShow],
  ['s_layers', LayersShow],
  ['s_states', StatesShow],
] as const

/** Every part of the kit, for the eye and for the accessibility checks. */
export function DevUi() {
  const t = useTexts(devTexts)
  return (
    <main id="main" tabIndex={-1} className="wrap-1200 py-10">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h1 className="text-28">{t('title')}</h1>
          <p className="text-fg-2">{t('lead')}</p>
        </div>
        <div className="flex items-center gap-2">
          <LangSwitch />
          <ThemeChoice />
        </div>
      </header>
      {shows.map(([key, Show]) => (
        <Part key={key} title={t(key)}>
          <Show />
        </Part>
      ))}
    </main>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="mt-12">
      <h2 className="mb-4 border-b border-line pb-2 text-20">{title}</h2>
      {children}
    </section>
  )
}
