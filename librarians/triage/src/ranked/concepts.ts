import type { Analyzer } from "@constellation/retrieval";

/** A concept that several words express, as a word that the index can hold; no analyzer gives a colon. */
export type Concept = `${typeof marks.work | typeof marks.field | typeof marks.everyday}${string}`;

const marks = { work: "about:", field: "field:", everyday: "everyday:" } as const;

/** Whether a term is a subject of everyday life. */
export function isEveryday(term: string): boolean {
  return term.startsWith(marks.everyday);
}

/** Whether a term is a field of business. */
export function isField(term: string): boolean {
  return term.startsWith(marks.field);
}

/**
 * Concepts of work and business, and words that people use for each. A word may be in several. Words of
 * one line need not mean the same: who is asked about one is asked about the others.
 */
const work: Readonly<Record<string, string>> = {
  // Running software
  orchestration:
    "kubernetes k8s kube kubelet kubectl helm pod container namespace deployment daemonset statefulset replicaset replica sidecar configmap ingress autoscaler hpa vpa pvc taint toleration cordon drain etcd containerd coredns docker image scheduler scheduling rollout crashloop crashlooping crashloopbackoff oomkilled oom evicted terminating",
  machine: "machine box host server node vm instance worker rack hardware gpu cpu bare-metal",
  memory: "memory ram heap swap oom oomkilled leak",
  disk: "disk volume storage pvc claim mount mounted ssd filesystem inode bucket snapshot nfs",
  "batch job": "job cron cronjob batch nightly task scheduled schedule timer pipeline worker etl",
  network:
    "network dns ip port load-balancer balancer proxy ingress route subnet firewall vpn latency packet bandwidth endpoint backend upstream gateway nginx",
  "web error":
    "404 500 502 503 504 5xx 4xx http timeout unreachable unavailable refused webshop website site page",
  failure:
    "fail failing failed failure crash crashed crashing crashlooping die died dying dead kill killed broken break broke hang hanging hung stuck frozen freeze restart restarting restarted exit exited abort aborted down outage unhealthy unavailable complain flapping stall stalled oomkilled terminating evicted",
  state:
    "running alive status state health healthy ready readiness up liveness heartbeat reporting replicas copies",
  log: "log logs logging stacktrace traceback event events output stdout stderr syslog",
  monitoring:
    "monitoring monitor metric metrics dashboard alert alerting alarm prometheus grafana trace tracing telemetry observability",
  performance:
    "slow latency throughput performance lag spike overload saturated load bottleneck sluggish",
  database:
    "database db postgres postgresql mysql mongo redis sql query replica replication index schema migration table",
  queue: "queue kafka rabbitmq broker topic consumer producer message stream backlog",
  release:
    "release deploy deployment rollout rollback ship version upgrade build canary revert staging production prod",
  source:
    "code repository git branch commit merge pull-request review compiler library refactor lint",
  test: "test testing coverage flaky regression assertion fixture",
  cloud: "cloud aws azure gcp region account terraform s3 ec2 lambda",
  data: "data dataset warehouse analytics report dashboard bi pipeline spark etl",
  ai: "model llm prompt embedding training inference classifier neural",
  // Answering incidents
  incident:
    "incident outage alert page pager on-call oncall escalation sev1 postmortem firing alarm spike",
  remedy:
    "fix fixes repair heal healing remedy remediate remediation cure mend solve resolve mitigate mitigation recover recovery self-healing restore sort clear",
  automation:
    "automation automated automate automatic automatically bot robot workflow playbook script runner unattended auto self-healing",
  catalog: "catalog catalogue list inventory registry portfolio canned ready-made predefined",
  choice:
    "choose choice pick select selection recommend recommendation suggest suggestion propose proposal best suitable fitting match option candidate rank",
  approval:
    "approval approve approved permission consent human sign-off confirm confirmation authorize unattended",
  parameter: "parameter param params argument input value setting",
  // Writing things down
  documentation:
    "documentation notes changelog bookmark document documented docs doc handbook manual guide runbook page wiki reference readme tutorial article chapter written write-up faq instructions howto how-to checklist explanation glossary",
  procedure:
    "procedure process step steps way instructions checklist howto how-to method routine practice onboarding handover",
  rule: "rule policy convention standard guideline regulation compliance requirement naming sla retention",
  configuration:
    "configuration config configure configured setting settings option options parameter default key keys flag environment variable toggle mandatory optional",
  architecture: "architecture design diagram component overview structure topology",
  backup: "backup backups restore snapshot archive retention recovery",
  certificate:
    "certificate cert tls ssl https expiry expire expired renew renewal rotate rotation ca",
  access:
    "access login password account permission role credential sso mfa token user authentication authorization identity vpn",
  security:
    "security vulnerability cve attack breach malware phishing exploit secret encryption audit",
  setup:
    "install installation set-up setup onboard onboarding integrate hook connect configure enable provision bootstrap",
  api: "api rate-limit limit endpoint webhook rest graphql sdk integration request",
  // Property
  money:
    "price priced pricing cost costs worth value valuation fee charge pay paid expensive cheap pricey fair budget crore lakh dollar dollars pound pounds euro euros rupee rupees usd gbp inr money bid",
  dwelling:
    "house home flat apartment condo condominium bungalow villa cottage duplex studio townhouse terraced detached semi-detached semi penthouse maisonette bedroom bed bhk 1bhk 2bhk 3bhk 4bhk property residential estate real-estate realty plot land listing dwelling accommodation loft",
  "housing market":
    "rent rents rental yield landlord tenant lease mortgage buyer buying seller selling broker realtor agent listing listed zillow rightmove zoopla sqft neighbourhood neighborhood locality area suburb stamp-duty appreciation comparable sale sales sold offer asking",
  title:
    "title deed occupancy registration rera encumbrance freehold leasehold zoning flood survey conveyancing",
};

/**
 * Fields of a business that are one department's, and words that people use for each. A query about one
 * that no delegate covers is hardly meant for any of them.
 */
const fields: Readonly<Record<string, string>> = {
  invoice: "invoice billing bill payment refund receipt credit charge charged subscription dunning",
  order:
    "order orders cart checkout basket purchase return delivery shipment shipping parcel tracking courier warehouse",
  customer: "customer client account lead crm churn ticket complaint support helpdesk",
  contract: "contract agreement clause legal law lawyer nda liability licence license terms",
  tax: "tax vat gst duty deduction accountant audit ledger bookkeeping",
  finance:
    "revenue profit margin forecast budget quarter earnings invoice cashflow spend expense expenses",
  investment:
    "investment invest investor stock stocks shares bond fund portfolio dividend interest",
  insurance: "insurance claim policy premium coverage insurer",
  leave: "leave holiday vacation sick parental absence time-off",
  payroll: "salary payroll wage payslip bonus pension compensation",
  hiring: "hire hiring candidate interview recruit recruiting applicant job-opening",
  travel: "travel trip flight hotel train visa expense booking",
  office: "office desk meeting-room parking badge building facilities",
  device: "laptop phone printer keyboard headset screen wifi smartphone",
  mail: "mail email inbox calendar meeting invite newsletter",
  marketing: "campaign marketing brand advertising newsletter seo conversion audience",
};

/**
 * Subjects of everyday life, and words that are hardly used for anything else. A query about one that no
 * delegate covers is meant for none of them.
 */
const everyday: Readonly<Record<string, string>> = {
  food: "recipe cook cooking bake baking cake bread pasta pizza soup sauce meal dinner lunch breakfast restaurant ingredient dish oven fry boil salad cheese chocolate vegetarian vegan rice chicken curry",
  drink: "wine beer coffee tea cocktail whisky espresso juice",
  sport:
    "football soccer cricket tennis basketball baseball golf hockey rugby olympic olympics marathon league championship tournament athlete coach referee swim swimming skiing boxing",
  fitness: "workout yoga gym muscle diet calories jogging",
  games:
    "chess rook bishop poker puzzle riddle crossword sudoku video-game zelda mario nintendo playstation xbox dice",
  film: "film movie actress cinema netflix oscar cartoon",
  music: "music song singer album concert guitar piano violin lyrics opera symphony melody chord",
  literature: "novel poem poetry poet sonnet shakespeare hamlet rhyme crime-novel fairy-tale",
  art: "painting painter sculpture museum architect cathedral ballet dance theatre",
  humour: "joke jokes funny prank pun trivia",
  history:
    "history war empire king queen emperor century ancient medieval invented inventor dynasty pharaoh",
  geography: "continent mountain river ocean desert population island volcano",
  politics: "election president parliament senate politician",
  religion: "religion god temple bible prayer mythology buddhism",
  philosophy: "philosophy ethics happiness kant plato",
  mathematics: "mathematics math theorem geometry algebra equation pi triangle theory calculus",
  physics: "physics gravity quantum atom electron relativity photon wavelength magnet",
  chemistry: "chemistry molecule acid ethanol boiling oxygen hydrogen",
  astronomy: "astronomy planet moon galaxy comet telescope eclipse",
  biology:
    "biology animal plant dolphin whale bird penguin insect fish dog cat puppy kitten horse elephant flower species dinosaur photosynthesis nest",
  medicine:
    "patient doctor hospital medicine disease treatment fever headache vaccine allergy hay-fever blood surgery pill pregnant flu cough dentist",
  weather: "weather forecast rain sunny snow umbrella humid",
  language:
    "translate translation french german spanish latin grammar pronounce spelling synonym vocabulary",
  holiday:
    "hotel beach holiday vacation tourist sightseeing flight airline airport passport itinerary cruise",
  transport: "tram bicycle bike car tyre motorcycle",
  family: "baby son daughter wedding birthday girlfriend boyfriend marriage",
  fashion: "dress shoes fashion jeans haircut makeup perfume jewellery",
  household: "laundry stain vacuum sofa curtain lawn garden gardening knitting sewing furniture",
  electronics:
    "phone iphone smartphone android ringtone tv television camera photo photos headphones",
  currency: "bitcoin ethereum crypto cryptocurrency forex nasdaq",
  school: "homework essay exam school teacher kindergarten",
  celebrity: "celebrity famous actress superstar kardashian",
};

/** Concepts of a word. */
export type ConceptsOf = (term: string) => readonly Concept[];

/** Reads the concepts with the analyzer that reads the texts: some milliseconds. */
export function createConcepts(analyzer: Analyzer): ConceptsOf {
  const known = new Map<string, Concept[]>();
  const all = [
    ...Object.entries(work).map(([name, list]) => [`${marks.work}${name}`, list] as const),
    ...Object.entries(fields).map(([name, list]) => [`${marks.field}${name}`, list] as const),
    ...Object.entries(everyday).map(([name, list]) => [`${marks.everyday}${name}`, list] as const),
  ];
  for (const [concept, list] of all) {
    for (const word of list.split(" ")) {
      const terms = analyzer.terms(word);
      const { text = "" } = terms.find(({ isExtra }) => isExtra) ?? terms[0] ?? {};
      const own = known.get(text);
      if (own === undefined) known.set(text, [concept]);
      else if (!own.includes(concept)) own.push(concept);
    }
  }
  return (term) => known.get(term) ?? none;
}

const none: readonly Concept[] = [];
