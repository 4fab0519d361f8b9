/** What the operator set (brand, company, support address); the server puts it into the page as JSON. */
export interface Site {
  readonly brand: string
  readonly brandZh: string
  readonly company: string
  readonly supportEmail: string
  readonly stage: 'production' | 'qa' | 'development'
  /** Where this site and its model API are reached, without a trailing slash. */
  readonly origin: string
  /** Days since which terms, privacy policy and agreement hold, where the operator set them (YYYY-MM-DD). */
  readonly termsUpdated?: string
  readonly privacyUpdated?: string
  readonly protocolUpdated?: string
  /** Origins of the production site and of its domain for mainland China; outside production only. */
  readonly productionUrl?: string
  readonly chinaUrl?: string
}

const fallback: Site = {
  brand: 'Mingxi',
  brandZh: '明细',
  company: 'Mingxi (Hong Kong) Limited',
  supportEmail: 'support@mingxi.example',
  stage: 'development',
  origin: typeof location === 'undefined' ? '' : location.origin,
}

/** `<script type="application/json" id="site">` needs no exception in the content security policy. */
function read(): Partial<Site> {
  try {
    return JSON.parse(document.getElementById('site')?.textContent || '{}') as Partial<Site>
  } catch {
    return {}
  }
}

/** The prerenderer sets `globalThis.__SITE__` before each page it draws: its address is not known when this file is loaded. */
function drawn(): Site {
  return new Proxy(fallback, { get: (_, name) => ({ ...fallback, ...(globalThis as { __SITE__?: Partial<Site> }).__SITE__ })[name as keyof Site] })
}

export const site: Site = typeof document === 'undefined' ? drawn() : { ...fallback, ...read() }
