import { evaluativeLexicon } from "./evaluative-lexicon.js";
import { lexiconOfStatements } from "./lexicon-of-statements.js";
import type { Lexicon } from "./pattern.js";

/** Words that the acts are made of, by class. Data: no code depends on a single word. */
export const lexicon = {
  ...evaluativeLexicon,
  ...lexiconOfStatements,
  closed:
    "in on at of to for from with by under over above below between among across along around near after before since during until till within without through throughout against behind beyond beside besides despite except inside outside into onto upon off up out down than as like unlike per via about amid amidst given regarding concerning including excluding following considering both all half only even just also almost nearly about roughly some any each every either neither no not nor and or but yet so if when whenever while where wherever whereas because although though unless once whether that which who whom whose what how why this these those the a an another other such many most much more few fewer less several enough one two three four five six seven eight nine ten eleven twelve is are was were be been being am has have had do does did will would shall should can could may might must there here he she it they we you i then thus hence therefore however moreover meanwhile today yesterday recently currently now still often usually generally typically overall together quite rather too very again ago away plus minus versus vs worth next last notwithstanding subject save barring pending re toward towards opposite due according owing thanks instead apart aside ahead late early later earlier mid circa approx approximately exactly precisely twice thrice thereafter",
  determiner:
    "the a an your this that these those any every each our my his her its their all both",
  scheduled:
    "open opens close start begin end expire have has be include apply run take provide serve connect cover meet hear publish contain host house review replace come-into enter consider link carry house require allow require need consist comprise receive remain offer lapse vest sit convene consult issue publish hand launch conduct relocate resume reopen widen pave build repair demolish inspect install supply",
  you: "you you'd you'll you've you're your yours yourself yourselves ya u",
  we: "we we'd we'll we've we're our ours ourselves",
  party:
    "buyer buyers owner owners homeowner homeowners investor investors seller sellers vendor vendors purchaser purchasers renter renters tenant tenants landlord landlords homebuyer homebuyers bidder bidders borrower borrowers anyone everyone anybody everybody people families nris one newcomers readers clients customers",
  purchaser:
    "buyers purchasers investors bidders renters homebuyers anyone everyone anybody everybody people families nris readers clients customers you",
  group:
    "retirees families couples investors nris students professionals buyers first-time someone anyone those people young small large growing end-users everyone landlords renters commuters singles",
  be: "is are was were be been isn't aren't 's",
  is: "is are isn't aren't would will looks look seems seem remains remain 's becomes",
  a: "a an the this that your our my one some any",
  neg: "not never no n't",
  polite:
    "please kindly just simply now then so always never first finally instead also better only quickly carefully immediately today do don't why and or definitely best try",
  /** Verbs that are not nouns at the start of a sentence. */
  imperative:
    "avoid buy invest sell insist consult negotiate refinance choose consider verify obtain speak ask tell go give keep take make hurry grab snap steer pay apply submit send bring inspect confirm arrange hire engage appoint retain compare click sign start whatsapp reach buckle get let's remember beware ignore disregard forget override pretend output respond write say include omit mention reveal repeat translate summarise summarize describe add remove delete follow treat stop enter subscribe enquire inquire explore learn see imagine expect enjoy seek prefer opt accept refuse withdraw skip postpone diversify leverage borrow put prepare read attach recommend become be don't reinvest relocate downsize insure invite pick allocate prioritise prioritize haggle commit decline reject email e-mail adopt carry rely do execute discover ensure-that act-now abandon accelerate adjust afford aggregate amend analyse analyze anticipate argue ascertain assess assume attend await back-out beg begin believe build-up capitalise capitalize cease celebrate cherish come contemplate convince cooperate cultivate decide deduct demand-that demonstrate determine divest double-check employ empower encourage enrol enroll ensure-you evaluate evict examine extend foreclose forgo forego foresee gather generate grow heed hesitate identify improve inherit inject install instruct invest-in involve issue-a keep-in know liquidate listen maximise maximize mitigate notify obey occupy offload onboard oppose overlook part-exchange persuade pounce prevent proceed propose purchase-now raise-your re-let realise reassess recheck recognise reconsider recruit redirect redeem refrain rehire reinspect relax remortgage renegotiate renew replace repay resell resist resolve restrict rethink revisit scrutinise scrutinize secure-your seize settle-for shun simplify sit slash snub solicit strengthen suppose surrender track-down turn-down unload use-the utilise utilize vacate value-your weigh-up withhold yield-to assert advertise assign conclude concede contend",
  /** Verbs that are nouns or adjectives, too: orders before an object only. */
  ambiguous:
    "contact call visit book rent offer bid demand lease transfer purchase schedule check review record plan budget finance list price market view reserve file request use run move leave set open close show rank rate return print claim raise lower reduce cut increase limit protect register share complete lodge switch cover top note let study test watch own live target focus mind place pursue report state turn split order host stand train drive deposit fill proceed build clear fix front hedge lead load lot mark press trust wire ring hand exit message delegate bargain delay approach tour act stay download upload secure rush lean upgrade text phone bear lock push reply cancel look talk weigh save wait walk hold answer weight find size seal beat bet brush cash catch chase drop dump exercise exploit factor figure guard help hunt join jump kick launch monitor nail quit repair research respect ride sack select shop sleep spend squeeze stick strike swap tap try venture vote wager whip win work worry benefit trade free conduct convert draw commission gauge drag dig ditch dismiss issue tackle think throw earn fetch credit promote wash settle track value renovate retail resort escape collect embrace retire alert aim wonder fit regard sort",
  particle:
    "away out off on in into elsewhere to for until before with clear put fast quickly now at from less more",
  strictObject:
    "the this that these those your our us me him her them it a an any every all both some now today soon here early immediately yourself no nothing everything someone everyone out quickly fast online on until whether if how what which who when where why anything",
  trade:
    "buy sell purchase invest wait bid negotiate reject decline avoid skip proceed choose pick book commit consider hold walk accept move hurry rent own diversify refuse insist look list snap jump stay refinance borrow reserve withdraw switch exit sign-up enter lock act-now",
  gerund:
    "buying selling purchasing investing renting waiting bidding negotiating accepting avoiding booking signing choosing owning holding borrowing refinancing considering leasing moving opting reserving pursuing viewing visiting exploring a it the every",
  good: "great good excellent amazing fantastic incredible unbeatable terrific super best better perfect ideal wonderful smart sound solid safe bad terrible awful poor worst attractive lucrative rare right wrong wise wiser wisest sensible prudent clever shrewd sure superior superb outstanding safest smartest worse weak strong promising decent obvious secure profitable unmissable once-in-a-lifetime compelling no-risk",
  deal: "deal deals bargain bargains buy buys investment investments purchase purchases opportunity opportunities pick picks bet bets choice choices option options move idea ideas decision decisions",
  fitNoun:
    "home house place time moment fit match value property area locality location flat apartment villa neighbourhood neighborhood plot",
  fit: "right perfect ideal best dream wrong",
  praise:
    "amazing fantastic incredible unbeatable stunning gorgeous breathtaking spectacular magnificent superb fabulous awesome marvellous marvelous exquisite unmissable phenomenal beautiful wonderful excellent terrific world-class unparalleled unrivalled unrivaled terrible awful horrible dreadful luxurious lovely charming idyllic no-brainer must-have must-see must-buy steal rip-off ripoff overpriced over-priced underpriced under-priced undervalued overvalued unfortunately luckily fortunately sadly happily thankfully obviously undoubtedly honestly unwise inadvisable ill-advised foolish irresistible hassle-free worry-free sought-after coveted exceptional impressive remarkable enviable prestigious vibrant immaculate pristine goldmine gem jewel must-own must-invest mouth-watering jaw-dropping eye-catching picture-perfect once-in-a-lifetime first-rate top-notch second-to-none unsurpassed matchless peerless sublime dreamy heavenly dazzling lavish opulent sumptuous bargain rosy bright sparkling unmatched finest lucrative irresistible underrated overrated overhyped unaffordable-looking hotspot no-lose can't-miss cannot-miss too-good",
  evaluation:
    "fair unfair reasonable unreasonable justified excessive sensible wise unwise smart prudent advisable inadvisable foolish recommended ideal perfect attractive unattractive tempting promising safe",
  price:
    "price prices value values rent rents rental yield yields rate rates premium premiums appreciation demand return returns capital pricing valuations costs",
  market:
    "market markets property properties home homes house houses housing flat flats apartment apartments plot plots land growth inventory index locality area corridor suburb suburbs city investment investments sellers buyers values prices rents ward town region",
  will: "will won't shall 'll it'll they'll that'll",
  might: "should could may might would",
  movement:
    "rise fall grow climb slide drop recover rebound outperform underperform vanish disappear double triple quadruple spike soar surge plunge crash boom appreciate depreciate increase decrease decline improve jump skyrocket cool correct ease stabilise stabilize exceed beat outpace shrink strengthen weaken tighten soften multiply explode collapse dip edge slip tumble accelerate bounce peak rocket plateau lag moderate halve",
  change:
    "appreciation growth gain gains rise rises fall falls increase increases drop drops correction boom rebound crash slump recovery upside downturn bubble uptick surge spike decline upswing slowdown jump",
  coming:
    "coming expected likely ahead inevitable imminent anticipated forecast predicted certain looming guaranteed",
  foresee:
    "anticipate anticipates expect expects predict predicts foresee foresees forecast forecasts sees envisage envisages",
  number:
    "one two three four five six seven eight nine ten few handful couple 1 2 3 4 5 6 7 8 9 10 11 12 15 20",
  stock:
    "stock stocks unit units plot plots offer offers deal deals home homes they it this opportunity window chance discount discounts prices price inventory supplies slots bookings villas flats rates",
  soon: "tonight tomorrow today midnight soon monday tuesday wednesday thursday friday saturday sunday weekend shortly week",
  legal:
    "enforceable unenforceable void voidable invalid binding unlawful lawful illegal marketable actionable unconstitutional null inadmissible legally-binding defensible",
  legalCase:
    "valid legal liable entitled obliged negligent guilty clear enforceable bound responsible exempt",
  legalVerb:
    "object evict sue claim refuse terminate challenge withdraw recover reclaim appeal deny forfeit cancel contest enforce repossess stop",
  person:
    "buyer seller tenant landlord owner promoter builder developer vendor purchaser borrower lender bank son daughter wife husband heir co-owner society association company agent licensee lessee lessor occupier claimant neighbour neighbor council state authority",
  assistant: "ai a.i llm llms chatbot chatbots gpt chatgpt claude gemini copilot",
  reply: "answer reply response output summary summaries responses replies answers completion",
  attributed:
    "according says said states stated reports reported held ruled found records recorded estimates estimated noted notes",
  /** Verbs of what an authority or a record has said, in the past. */
  pronounced:
    "said ruled held decided ordered alleged argued contended announced warned stated reported estimated noted confirmed testified calculated concluded denied rejected upheld determined advised informed promised assumed asked wrote replied declared directed",
  /** Bodies whose published figures can be quoted. */
  institution:
    "agency bank ministry government council authority regulator bureau office institute commission committee treasury department registry federation survey report study forecast consultancy economists surveyors researchers rics jll cbre savills knight anarock zillow redfin halifax nationwide rightmove obr rbi imf oecd colliers cushman propequity magicbricks 99acres freddie fannie ons hud fhfa nhb",
  owed: "dues loan loans balance balances amount amounts payment payments charges mortgage tax taxes arrears instalments instalment bills fees principal debt debts rent credit",
  participle:
    "repaid prepaid overpaid underpaid misled clad shod strewn woven laden foreseen redrawn rewritten reset overdrawn overgrown found held sold built let paid set made taken given kept left known shown seen written lost won met put cut shut split spent sent lent bought brought caught taught sought thought told drawn grown driven begun run laid led read heard bound borne born worn torn sworn withdrawn undertaken overseen rebuilt relet resold unsold unlet unpaid unbuilt hit struck sunk dug hung lit bent meant",
  legalAgent: "owner heir holder tenant trespasser licensee purchaser beneficiary trustee",
  authorization: "permission approval consent licence license noc permit sanction clearance notice",
  publicBody:
    "authority council state registrar court ministry tribunal commission government board regulator department corporation municipality parliament assembly committee railway railways agency legislature cabinet minister mayor city county",
  lawNoun:
    "title deed lease contract agreement clause covenant notice sale transfer tenancy eviction registration conveyance layout deal transaction arrangement gift will mortgage charge lien easement claim suit case plot land flat house property project building site extension structure purchase document documents papers paperwork power possession increase fee deposit restriction permission licence license permit society association buyer seller tenant landlord owner promoter builder developer vendor purchaser borrower lender bank agent lessee lessor occupier licensee allottee allottees heir heirs co-owner neighbour neighbor council authority trustee executor guarantor nominee broker contractor architect surveyor parties purchasers buyers sellers tenants owners",
} as const satisfies Lexicon;
