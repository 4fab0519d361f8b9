import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

export interface TabItem<V extends string> {
  readonly value: V
  readonly label: ReactNode
  readonly panel: ReactNode
}

interface TabsProps<V extends string> {
  readonly label: string
  readonly items: readonly TabItem<V>[]
  /** Controlled: pass the result of `useQueryParam('tab', 'view')`, so that the tab is kept in the URL. */
  readonly value: V
  readonly onChange: (value: V) => void
  readonly className?: string
}

export function Tabs<V extends string>({ label, items, value, onChange, className = '' }: TabsProps<V>) {
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(next as V)} className={className}>
      <Base.List aria-label={label} className="no-bar relative flex gap-6 overflow-x-auto border-b border-line mobile:gap-5">
        {items.map((item) => (
          <Base.Tab
            key={item.value}
            value={item.value}
            className="-mb-px shrink-0 border-b-2 border-transparent py-2.5 text-14 font-medium text-fg-2 -outline-offset-2 hover:text-fg data-[active]:border-brand data-[active]:text-fg mobile:py-3"
          >
            {item.label}
          </Base.Tab>
        ))}
      </Base.List>
      {items.map((item) => (
        <Base.Panel key={item.value} value={item.value} className="pt-6 outline-offset-4">
          {item.panel}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
