import type { RAGCountry } from "../contract/rag-response.js";

/**
 * Well-known localities by country and city, as people write them. A name in two cities is in both lists.
 */
export const localities: Readonly<Record<RAGCountry, Readonly<Record<string, string>>>> = {
  IN: {
    Visakhapatnam:
      "Gajuwaka, Madhurawada, Rushikonda, MVP Colony, Dwaraka Nagar, Seethammadhara, Yendada, Bheemili, Bhogapuram, Pendurthi, Kommadi, Siripuram, Lawsons Bay, Anandapuram, Kurmannapalem, Sheela Nagar, Marripalem, Akkayyapalem",
    Hyderabad:
      "Gachibowli, Madhapur, Kondapur, Kukatpally, Miyapur, Kokapet, Narsingi, Banjara Hills, Jubilee Hills, Begumpet, Secunderabad, Uppal, LB Nagar, Nagole, Kompally, Manikonda, Nallagandla, Tellapur, Hitech City, HITEC City, Ameerpet, Shamshabad, Bachupally, Nizampet, Dilsukhnagar",
    Bengaluru:
      "Whitefield, Koramangala, Indiranagar, HSR Layout, Electronic City, Sarjapur, Sarjapur Road, Hebbal, Yelahanka, Jayanagar, JP Nagar, Marathahalli, Bellandur, Malleshwaram, Rajajinagar, Banashankari, BTM Layout, Devanahalli, Hennur, Thanisandra, Kanakapura Road, Bannerghatta Road",
    Mumbai:
      "Bandra, Andheri, Powai, Worli, Juhu, Borivali, Kandivali, Malad, Goregaon, Chembur, Dadar, Lower Parel, Mulund, Ghatkopar, Colaba, Kurla, Vikhroli, Santacruz",
    Pune: "Hinjewadi, Baner, Wakad, Kothrud, Kharadi, Viman Nagar, Hadapsar, Koregaon Park, Aundh, Magarpatta, Wagholi",
    Delhi:
      "Dwarka, Rohini, Vasant Kunj, Saket, Greater Kailash, Hauz Khas, Karol Bagh, Lajpat Nagar, Janakpuri, Pitampura, Mayur Vihar, Defence Colony, Connaught Place, Model Town",
    Gurugram:
      "Golf Course Road, Sohna Road, DLF Phase 1, Sushant Lok, Cyber City, Dwarka Expressway",
    Noida: "Sector 62, Sector 150, Sector 137, Noida Extension",
    Chennai:
      "Adyar, Velachery, Anna Nagar, T Nagar, Porur, Tambaram, OMR, Sholinganallur, Perungudi, Mylapore, Guindy, Nungambakkam, Medavakkam",
    Kolkata:
      "Salt Lake, New Town, Rajarhat, Ballygunge, Behala, Garia, Alipore, Park Street, Howrah",
    Ahmedabad: "Satellite, Bopal, Vastrapur, Prahlad Nagar, Gota, Chandkheda, Maninagar",
    Jaipur: "Malviya Nagar, Vaishali Nagar, Mansarovar, Jagatpura",
    Kochi: "Kakkanad, Edappally, Aluva, Fort Kochi, Vyttila",
    Lucknow: "Gomti Nagar, Aliganj, Hazratganj, Indira Nagar",
    Ludhiana: "Model Town, Sarabha Nagar",
    Vijayawada: "Benz Circle, Gannavaram, Poranki, Kanuru, Gollapudi",
    Thane: "Ghodbunder Road, Kolshet, Majiwada, Manpada",
  },
  US: {
    Austin:
      "Mueller, Zilker, Barton Hills, Hyde Park, East Austin, South Congress, Tarrytown, Clarksville, Travis Heights, Crestview",
    "New York":
      "Harlem, Chelsea, Tribeca, SoHo, Upper West Side, Upper East Side, Williamsburg, Astoria, Park Slope, Bushwick, Long Island City, Greenwich Village, Bedford-Stuyvesant, Flushing, Queens, Staten Island, The Bronx",
    Chicago:
      "Lincoln Park, Hyde Park, Wicker Park, Logan Square, Lakeview, Pilsen, River North, Bronzeville",
    "San Francisco":
      "Mission District, Pacific Heights, Noe Valley, Castro, Nob Hill, Haight-Ashbury, SoMa",
    "Los Angeles":
      "Silver Lake, Echo Park, Venice Beach, Hollywood, Westwood, Brentwood, Los Feliz, Koreatown",
    Seattle: "Ballard, Capitol Hill, Fremont, Queen Anne, Wallingford",
    Boston: "Back Bay, Beacon Hill, South End, Dorchester, Jamaica Plain, Allston",
    Denver: "Capitol Hill, LoDo, Cherry Creek, Highlands, Stapleton",
    Miami: "Brickell, Wynwood, Coconut Grove, Little Havana, Edgewater",
    Houston: "The Heights, Montrose, River Oaks, Midtown Houston",
    Dallas: "Uptown Dallas, Deep Ellum, Oak Lawn, Lakewood Heights, Bishop Arts",
    Atlanta: "Buckhead, Midtown Atlanta, Inman Park, Virginia-Highland",
  },
  UK: {
    London:
      "Clapham, Chelsea, Hackney, Camden, Islington, Brixton, Peckham, Shoreditch, Canary Wharf, Battersea, Fulham, Hammersmith, Kensington, Mayfair, Notting Hill, Putney, Wimbledon, Ealing, Greenwich, Lewisham, Stratford, Tottenham, Walthamstow, Wandsworth, Westminster, Dulwich, Hampstead, Tooting, Balham, Streatham",
    Manchester:
      "Didsbury, Chorlton, Ancoats, Fallowfield, Withington, Northern Quarter, Castlefield, Levenshulme, Hulme, Cheetham Hill, Deansgate",
    Leeds: "Headingley, Armley, Chapel Allerton, Roundhay, Horsforth, Hyde Park, Holbeck, Meanwood",
    Birmingham:
      "Edgbaston, Moseley, Digbeth, Harborne, Jewellery Quarter, Selly Oak, Erdington, Kings Heath",
    Liverpool: "Toxteth, Aigburth, Anfield, Wavertree, Allerton, Baltic Triangle",
    Bristol: "Clifton, Bedminster, Redland, Easton, Stokes Croft, Southville",
    Edinburgh: "Leith, Morningside, Stockbridge, Portobello, Bruntsfield, Gorgie",
    Glasgow: "Partick, Govan, Kelvinside, Shawlands, Dennistoun, Merchant City",
    Sheffield: "Ecclesall, Crookes, Kelham Island, Hillsborough",
    Cardiff: "Cardiff Bay, Roath, Canton, Pontcanna, Cathays",
  },
};
