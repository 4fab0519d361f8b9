import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import type { kitTexts } from './texts.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

export type NavigationGroup = 'desk' | 'models' | 'services' | 'system'

/** A screen of the console; defines its route, its navigation entry and its search entry. */
export interface ConsoleScreen {
  /** Route path: `/orders`, or `/orders/$orderNo` for the page of one row. */
  readonly path: string
  /** Key in kitTexts; also the document title. */
  readonly title: TextKeyOf<typeof kitTexts>
  /** Permission required to see it; every signed-in operator if absent. */
  readonly permission?: string
  /** Navigation entry; none if absent. */
  readonly nav?: { readonly group: NavigationGroup; readonly icon: LucideIcon; /** Name of its count (`kit/counts.ts`). */ readonly count?: string }
  /** Shortcut key, pressed after G. */
  readonly key?: string
  /** Loads the screen's code on first use. */
  readonly load: () => Promise<{ readonly Screen: ComponentType }>
}
