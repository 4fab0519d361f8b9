import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import type { kitTexts } from './texts.ts'

export type Group = 'desk' | 'models' | 'services' | 'system'

/** A screen of the operators' app: from it come its route, its line in the navigation and its place in the search. */
export interface Screen {
  /** The address, `/orders`, or `/orders/$orderNo` for what a line opens. */
  readonly path: string
  /** A text of kitTexts, also the document's title. */
  readonly title: keyof (typeof kitTexts)['zh']
  /** Who sees it; everybody who is signed in when absent. */
  readonly permission?: string
  /** Its line in the navigation; none when absent. */
  readonly nav?: { readonly group: Group; readonly icon: LucideIcon; /** Whose count stands beside it (`kit/counts.ts`). */ readonly count?: string }
  /** Pressed after G. */
  readonly key?: string
  /** The code comes when the screen is opened. */
  readonly load: () => Promise<{ readonly Screen: ComponentType }>
}
