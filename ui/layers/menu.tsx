import { Menu as Base } from '@base-ui/react/menu'
import { useState } from 'react'
import type { ReactElement, ReactNode } from 'react'

/** Popups render inside the landmark or dialog of their trigger, so that screen readers announce their context. */
function useLandmark(): readonly [HTMLElement | undefined, (trigger: HTMLElement | null) => void] {
  const [home, setHome] = useState<HTMLElement>()
  return [home, (trigger) => setHome(trigger?.closest<HTMLElement>('[role="dialog"], main, header, nav') ?? undefined)]
}

export interface MenuItem {
  readonly key: string
  readonly label: ReactNode
  readonly icon?: ReactNode
  readonly onSelect: () => void
  readonly danger?: boolean
  readonly disabled?: boolean
  /** Set on the items of one choice: shows a check mark. */
  readonly checked?: boolean
}

export interface MenuProps {
  readonly trigger: ReactElement
  /** Groups are divided by a line. */
  readonly groups: readonly (readonly MenuItem[])[]
  readonly header?: ReactNode
  readonly align?: 'start' | 'center' | 'end'
  /** The user pressed the trigger before the menu's code was loaded. */
  readonly defaultOpen?: boolean
}

const itemClass =
  'flex w-full cursor-pointer items-center gap-2.5 rounded-tag px-3 py-2 text-left text-14 outline-none data-[highlighted]:bg-sunken data-[disabled]:text-fg-3 mobile:py-3'

export function Menu({ trigger, groups, header, align = 'end', defaultOpen = false }: MenuProps) {
  const [home, setTrigger] = useLandmark()
  return (
    <Base.Root defaultOpen={defaultOpen}>
      <Base.Trigger ref={setTrigger} render={trigger} />
      <Base.Portal container={home}>
        <Base.Positioner positionMethod="fixed" className="z-3000" sideOffset={6} align={align}>
          <Base.Popup className="popup min-w-48 p-1 outline-none">
            {header ? <div className="border-b border-line px-3 pt-2 pb-2.5 text-13 text-fg-3">{header}</div> : null}
            {groups.map((group, index) => (
              <div key={group[0]?.key ?? index} className={index ? 'mt-1 border-t border-line pt-1' : header ? 'pt-1' : ''}>
                {group.map((item) => (
                  <Item key={item.key} item={item} />
                ))}
              </div>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function Item({ item }: { readonly item: MenuItem }) {
  const body = (
    <>
      {item.icon}
      <span className="min-w-0 flex-1">{item.label}</span>
    </>
  )
  if (item.checked !== undefined) {
    return (
      <Base.CheckboxItem checked={item.checked} onClick={item.onSelect} closeOnClick disabled={item.disabled} className={itemClass}>
        {body}
        <span className={`size-1.5 rounded-full ${item.checked ? 'bg-brand' : ''}`} aria-hidden="true" />
      </Base.CheckboxItem>
    )
  }
  return (
    <Base.Item onClick={item.onSelect} disabled={item.disabled} className={`${itemClass} ${item.danger ? 'text-danger' : ''}`}>
      {body}
    </Base.Item>
  )
}
