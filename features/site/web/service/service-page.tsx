import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { siteTexts } from '../../texts.ts'
import { services } from '../services.ts'
import { Ledger } from './ledger.tsx'
import { ServiceCard } from './service-card.tsx'

/** Everything at a glance: what is open can be entered, what is not says so and has no button. */
export function ServicePage() {
  const t = useTexts(siteTexts)
  useTitle(t('service_title'))
  return (
    <div className="wrap-1200 py-16 mobile:py-8">
      <h1 className="text-40 mobile:text-28">{t('service_title')}</h1>
      <p className="mt-2 max-w-[36em] text-fg-2">{t('service_lead')}</p>
      <section aria-labelledby="independent" className="mt-10 mobile:mt-7">
        <h2 id="independent" className="text-20">
          {t('zone_independent')}
        </h2>
        <div className="mt-4 grid gap-5 desktop:grid-cols-2 mobile:gap-4">
          {services
            .filter((service) => service.zone === 'independent')
            .map((service) => (
              <ServiceCard key={service.id} service={service} />
            ))}
        </div>
      </section>
      <section aria-labelledby="others" className="mt-14 mobile:mt-10">
        <h2 id="others" className="mb-4 text-20">
          {t('service_others')}
        </h2>
        <Ledger list={services.filter((service) => service.zone !== 'independent')} />
      </section>
    </div>
  )
}
