/** Fictitious people: first names from many languages. */
export const firstNames = `
Aaliyah Aaron Abigail Adam Adriana Agnieszka Ahmed Aisha Akira Alan Alejandra Alejandro Alexandra Alexis Alice Alma
Amara Amélie Ana Anaïs Anders André Andrea Angela Anh Anika Anna Anthony Antonio Aoife Arjun Ashley Astrid Ava Ayşe
Beatriz Benjamin Bjørn Bo Brandon Brianna Bruno Camila Carlos Carmen Caroline Catherine Chen Chidi Chloé Christian
Christopher Claire Connor Cristina Cyrus Dakota Daniel Danielle Dariusz David Deborah Diana Diego Dmitri Donna Dylan
Eduardo Elena Eli Elijah Elizabeth Élodie Emeka Emily Emma Eric Esperanza Esra Ethan Eva Evelyn Fatima Fernando Finn
Francesca François Freya Gabriel Gabriela Gaël George Giovanni Grace Greta Guadalupe Gustavo Hailey Hana Hannah Haruto
Hassan Hector Helen Hélène Henry Hugo Ian Ibrahim Ines Inga Irene Isabel Isabella Isaiah Ivan Jack Jacob Jada Jamal
James Jamila Jan Janelle Jasmine Javier Jennifer Jesús Jin Joanna Johan John Jonas Jordan Jorge José Joseph Joshua
Joyce Juan Julia Julian Jürgen Kaito Kamal Karen Katarzyna Kateryna Katherine Kayla Keisha Kelly Kenji Kevin Khadija
Kofi Kristen Kwame Kyle Laila Lakshmi Lamar Laura Layla Leah Leila Léo Leon Leticia Li Liam Lily Linh Logan Lorenzo
Lucas Lucía Luis Luka Madison Magdalena Mai Malik Manuel Marcus Margaret María Mariam Mariana Marie Mario Marisol Mark
Marta Martín Mary Mateo Matthew Maya Mei Melissa Mia Michael Miguel Mikael Mila Min Mohamed Molly Mónica Nadia Naomi
Natalia Natasha Nathan Nia Nicholas Nicole Nikhil Nina Noah Noor Nora Nuria Ofelia Ola Oliver Olivia Omar Oscar Paige
Pamela Patricia Paul Paula Pedro Peter Phuong Pilar Priya Quinn Rachel Rafael Rahul Raj Ramón Raquel Ravi Rebecca
Renée Ricardo Robert Rosa Ruby Ruth Ryan Sadia Samantha Samuel Sandra Santiago Sara Sasha Sean Sebastián Selma Siddharth
Siobhán Sofía Sophie Stella Stephen Sunil Susan Svetlana Tamika Tara Tatiana Teresa Thandiwe Theo Thomas Tiana Tomás
Trevor Tyler Uma Valentina Vanessa Victor Viktoria Vincent Violet Wei Wendy William Ximena Yara Yasmin Youssef Yuki Yusuf
Zachary Zahra Zoë Zuzana Anne-Marie Jean-Luc Mary-Kate`
  .trim()
  .split(/\s+/)

/** Fictitious people: last names from many languages. */
export const lastNames = `
Abbott Abdi Acevedo Adams Adeyemi Aguilar Ahmed Ali Allen Álvarez Andersen Anderson Andersson Bailey Baker Banerjee
Barnes Bauer Becker Bell Bennett Bernard Bianchi Brooks Brown Bryant Butler Byrne Campbell Cárdenas Carlson Carter
Castillo Castro Chakraborty Chan Chang Chavez Chen Cheng Choi Chowdhury Clark Cohen Coleman Collins Contreras Cooper
Córdova Cox Cruz Da-Silva Dang Davies Davis De-León Delgado Desai Diallo Díaz Diop Dubois Duong Edwards Eriksen Espinoza
Estrada Evans Farah Fernández Ferrari Ferreira Fischer Fitzgerald Flores Ford Foster Fournier Fraser Fuentes Fujita
Gallagher García Garza Gill Gómez González Gordon Graham Grant Gray Green Griffin Guerrero Guzmán Gutiérrez Haddad Hall
Hamilton Hansen Harris Hassan Hayashi Hayes Henderson Hernández Herrera Hill Hoffmann Horvat Howard Huang Hughes Hussein
Ibarra Ibrahim Ito Ivanova Jackson James Janssen Jenkins Jensen Jiménez Johansson Johnson Jones Jørgensen Joseph Kaplan
Kapoor Kaur Kelly Kennedy Khan Kim King Klein Kobayashi Kovač Kowalski Kozłowski Krüger Kumar Lam Larsen Laurent Le Lee
Lefèvre Leung Lewis Li Lin Lindgren Liu López Lund Mac-Donald Mahmoud Maldonado Martin Martínez Mbeki McCarthy McCoy
Medina Mehta Mejía Méndez Mendoza Meyer Miller Mitchell Mohamed Molina Moore Morales Moreau Moreno Morgan Morris Müller
Muñoz Murphy Murray Mwangi Myers Nair Nakamura Navarro Nelson Nguyen Nielsen Novak Nowak Núñez O'Brien O'Connor O'Neill
Ochoa Okafor Okeke Okonkwo Oliveira Olsen Ortega Ortiz Osei Owens Pacheco Padilla Park Parker Patel Patterson Peña
Pereira Pérez Perry Petersen Petrov Pham Phillips Popescu Powell Price Quintero Ramírez Ramos Rao Reddy Reed Reid Reyes
Richards Richardson Rivera Roberts Robinson Rodríguez Rogers Rojas Romano Romero Rosenberg Ross Rossi Roy Ruiz Russell
Ryan Saito Salazar Sánchez Sanders Santos Sato Schmidt Schneider Scott Shah Shapiro Sharma Silva Simmons Singh Smith
Sokolov Soto Sousa Stewart Stone Sullivan Suzuki Svensson Takahashi Tan Tanaka Taylor Thapa Thomas Thompson Torres Tran
Traoré Turner Uddin Valdez Vargas Vásquez Vega Villanueva Vu Wagner Walker Wallace Walsh Wang Ward Watson Weber White
Williams Wilson Wójcik Wong Wood Wright Wu Yamamoto Yang Yıldız Young Zamora Zhang Zhao Zhou Zimmermann`
  .trim()
  .split(/\s+/)

/** Words that company names are built from. */
export const places = `
Alder Amber Aspen Bayside Beacon Birch Bluebird Bridgeport Brookfield Canyon Cedar Cliffside Clover Copper Coral Cypress
Driftwood Eagle Eastgate Elm Evergreen Fairview Falcon Fern Foxglove Garnet Glenwood Golden Granite Greenfield Harbor
Hawthorn Hazel Heron Highland Hillcrest Ironwood Ivory Juniper Kestrel Lakeshore Larkspur Laurel Linden Lighthouse Magnolia
Maple Marigold Meadow Midtown Millbrook Mistral Moonlight Northgate Oakridge Ocean Opal Orchard Osprey Pacific Palisade
Pinecrest Pioneer Prairie Quail Quartz Ravenwood Redwood Ridgeline Riverside Rosewood Sable Saffron Sandstone Sequoia
Silver Skyline Solstice Southport Spruce Starling Stonebridge Summit Sunrise Sycamore Tamarack Thistle Timber Topaz
Trillium Tundra Upland Valley Verbena Vista Walnut Westbrook Whitewater Willow Windmill Wren Yarrow Zephyr`
  .trim()
  .split(/\s+/)

export const states = ['CA', 'TX', 'FL', 'NY', 'IL', 'OH', 'GA', 'NC', 'AZ', 'WA']

/** The business of an organization: the end of its name, and the names of its employers. */
export const trades = [
  { group: 'Health Group', units: ['Hospital', 'Clinic', 'Urgent Care', 'Rehabilitation Center', 'Nursing Home'] },
  { group: 'Hospitality', units: ['Hotel', 'Inn', 'Resort', 'Conference Center', 'Suites'] },
  { group: 'Foods', units: ['Kitchen', 'Bakery', 'Distribution', 'Grill', 'Market'] },
  { group: 'Logistics', units: ['Warehouse', 'Fulfilment', 'Freight Depot', 'Terminal', 'Crossdock'] },
  { group: 'Senior Living', units: ['Residence', 'Gardens', 'Manor', 'Terrace', 'Memory Care'] },
  { group: 'Retail', units: ['Store', 'Outlet', 'Superstore', 'Corner', 'Plaza'] },
  { group: 'Facilities', units: ['Cleaning', 'Security', 'Maintenance', 'Landscaping', 'Parking'] },
  { group: 'Manufacturing', units: ['Plant', 'Works', 'Assembly', 'Foundry', 'Packaging'] },
] as const

export const departments = [
  'ADMIN',
  'CARE-1',
  'CARE-2',
  'CLEAN',
  'FRONT',
  'HR',
  'KITCHEN',
  'LOG',
  'NIGHT',
  'OPS-A',
  'OPS-B',
  'SALES',
  'SECUR',
  'TECH',
]
