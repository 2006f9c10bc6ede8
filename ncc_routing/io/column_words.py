"""Words in the names of columns, in five languages.

The languages are English, German, French, Spanish and Italian. Words have no
accents here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from ncc_routing.io.fields import pieces_of

if TYPE_CHECKING:
    from collections.abc import Sequence


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _pattern(text: str) -> str:
    """Return a regular expression of words between underscores.

    A star stands for more letters on both sides, as in compounds.
    """
    parts = (
        word[:-1] if word.endswith("*") else f"_{word}_"
        for word in text.split()
    )
    return "|".join(map(re.escape, parts))


_TEXTS: Final = _pattern(
    """
    address* street* road avenue boulevard city town village suburb
    borough hamlet locality postcode* postal* zip zipcode* phone* tel mobile
    cellphone* landline fax* whatsapp email* mail mails mailbox website*
    webpage* web www url homepage contact* note notes comment* remark* descri*
    instruc* text texts memo message* info infos informa* detail
    details salutation attention attn apartment* arrondissement appartement*
    doorbell klingel* photo* image geocod*
    apartamento* appartamento*
    adress* anschrift* strasse* hausnummer* hausnr* plz postleitzahl* postfach*
    stadt stadtteil ort ortsteil lieferort wohnort* ortschaft* gemeinde*
    telefon* handy* mobilnummer* rufnummer* festnetz* webseite* internet*
    kontakt* ansprech* bemerkung* notiz* hinweis* kommentar* beschreib*
    anmerkung* freitext* nachricht* anrede* zusatz infotext
    rue ville commune* quartier telephon* portable telecop* courriel* mel
    remarque* observ* consigne* libell* intitule* interlocuteur*
    renseignement* civilite annotation* complement
    direccion* calle ciudad localit* localid* municip* poblacion barrio movil
    correo* pagina comentario* nota notas indicacion* contacto* mensaje*
    apartado codpostal* aviso complemento
    indirizz* via citta comune frazione cellulare* posta recapit* sito
    osserv* commento* commenti annotazion* istruzion* contatt* referente*
    messaggio* quartiere avviso
    """
)
"""Texts about a place or a thing."""

_NAMES: Final = """
    id ids ref refs reference references referenz referencia riferimento name*
    nom nome date dates datum* fecha* data rif nummer* nr bezeichn* designat*
    designac* designaz*
"""
_LOOSE: Final = _pattern(_NAMES)
"""Ids, names and dates; harmless where no word is one of a rule."""

_MARKS: Final = _words(_NAMES.replace("*", "")) | _words(
    """
    names code num number no numbers title company business organisation
    organization customer client node invoice invoices receipt quote vat tax
    barcode ean gtin sku uuid guid row birthday created updated modified edited
    imported timestamp timezone county state country province plate index
    iso language gender signature sprache langue idioma lingua rep manager
    registration vin iban bic surname forename firstname lastname
    debitor kennung kunde firma unternehmen betrieb bezeichnung titel
    kennzeichen rechnung beleg lieferschein steuer ust erstellt angelegt
    geandert aktualisiert bundesland landkreis kanton land konto geburtstag
    prenom numero client societe entreprise raison facture bon immatriculation
    plaque creation cree modifie departement pays canton barres siret siren tva
    matricule identifiant compte
    nombre nombres apellido apellidos razon empresa cliente factura albaran
    matricula codigo creado pais provincia comunidad nif cif dni iva cuenta
    identificador denominacion sociedad
    cognome ragione azienda ditta societa impresa fattura bolla ddt targa
    codice creato paese nazione cap partita fiscale conto identificativo
    denominazione civico
    recipient consignee sender shipper agent salesman clerk empfanger absender
    sachbearbeiter vertreter destinataire expediteur vendeur commercial agente
    destinatario remitente vendedor comercial mittente venditore n
    nominativo insegna kurzel
    """
)
"""What identifies a thing; harmless among neutral words."""

_NEUTRAL: Final = _words(
    """
    account article bank billing branch business contact customer client
    delivery display external first full home house internal invoice last
    legal licence license commercial comercial commerciale new old order person
    product purchase recipient sales sender serial shipment shipping shop short
    store supplier tracking user vendor work po contract gate
    vertrags contrat contrato contratto
    artikel auftrag auftrags bank bestell bestellung empfanger filial filiale
    firmen haus kunden kurz liefer lieferanten lieferung post produkt
    rechnungs referenz sendung sendungs absender person strassen
    article bancaire client commande complet destinataire expediteur
    facturation interne livraison magasin produit sociale suivi
    articulo barras cliente completo creacion destinatario entrega envio
    facturacion pedido persona producto remitente residencia seguimiento
    social tienda casa
    articolo barre cliente completo consegna creazione destinatario
    elettronica fatturazione mittente negozio ordine prodotto residenza
    sociale spedizione
    """
)
_LINKS: Final = _words(
    """
    a al am and at d da de del della dell delle dello dem den der des di die
    du e el et l la las le les los n of s the und von y
    """
)

_VEHICLES: Final = _words(
    """
    vehicle truck van trailer lorry fleet driver car
    fahrzeug lkw wagen anhanger fahrer halter
    vehicule camion camionnette remorque chauffeur conducteur
    vehiculo furgoneta remolque conductor
    veicolo furgone mezzo autista conducente
    """
)
_STOPS: Final = _words(
    """
    pickup deliver unloading loading service opening depot visit warehouse
    abhol entlade lade besuch lager
    ramassage enlevement dechargement chargement visite entrepot
    recogida descarga carga servicio visita almacen deposito
    ritiro scarico carico servizio magazzino
    fixe fijo fija fisso fissa
    """
)
_BESIDE_MARKS: Final = _NEUTRAL | _LINKS
_BESIDE_TEXTS: Final = _BESIDE_MARKS | _MARKS | _VEHICLES | _STOPS
"""Words that do not change what a mark or a text is."""

_ENDS: Final = (
    "nummer",
    "number",
    "name",
    "datum",
    "date",
    "code",
    "nr",
    "no",
)
"""Ends of compound words that identify a thing: "kundennummer"."""


class _Topic(NamedTuple):
    """The fields of customers and vehicles that some words may mean."""

    customers: str
    vehicles: str
    pattern: str


def _topic(customers: str, vehicles: str, words: str) -> _Topic:
    return _Topic(customers, vehicles, _pattern(words))


_TOPICS: Final = (
    _topic(
        "",
        "cost_per_overtime",
        "overtime uberstund* supplementaires horas_extra* straordinar*",
    ),
    _topic(
        "",
        "cost_per_driving_time",
        """
        driving drive travel* fahrt* fahrz* fahrstund* lenkzeit* conduite
        conduccion guida
        """,
    ),
    _topic(
        "",
        "max_driving_time",
        """
        driving drive travel* fahrz* fahrd* fahrstund* lenkzeit* conduite
        conduccion guida
        """,
    ),
    _topic(
        "",
        "max_overtime",
        "overtime uberstund* supplementaires horas_extra* straordinar*",
    ),
    _topic(
        "",
        "max_stops",
        "stops stopp* arret* parada* fermat* visit* besuch* deliver* orders",
    ),
    _topic(
        "",
        "min_stops",
        "stops stopp* arret* parada* fermat* visit* besuch* deliver* orders",
    ),
    _topic(
        "",
        "min_load",
        """
        load weight* volum* pallet* palett* kg ladung* gewicht* charge* poids
        carga* peso carico*
        """,
    ),
    _topic(
        "",
        "latest_start",
        "start* depart* begin* anfang* abfahr* debut* inicio* partenza*",
    ),
    _topic(
        "",
        "cost_per_time",
        """
        per_h per_min pro_h pro_min par_h par_min por_h por_min minut* eur_h
        hour* wage* salary stunde* stundlich* lohn salaire* horaire* heure*
        salario* hora* horari* ora ore orari* paga stipendio
        """,
    ),
    _topic(
        "",
        "cost_per_distance",
        """
        km kms mile miles mileage kilomet* chilometr* distanc* distanz*
        """,
    ),
    _topic(
        "",
        "fixed_cost",
        """
        hire rent rental daily fixed fix fixkosten* tagessatz* miete fixe
        location_journaliere fijo fija alquiler* fisso noleggio*
        """,
    ),
    _topic(
        "",
        "open_route",
        """
        one_way oneway open_route* open_tour* open_end* open_trip* offene_tour*
        offene_route* einweg* no_return* ohne_ruck* aller_simple* sans_retour*
        tournee_ouverte* ruta_abierta* solo_ida sin_re* giro_aperto
        percorso_aperto solo_andata sola_andata senza_ri* last_customer_home
        letzter_kunde_heim dernier_client_domicile ultimo_cliente_casa
        """,
    ),
    _topic(
        "open",
        "shift_start",
        """
        from begin begins start* early earl* ready* open* after beginn* anfang*
        fruh* von ab debut* ouverture* tot a_partir partire apres desde inicio*
        apertura* temprano despues dalle inizio* dopo
        """,
    ),
    _topic(
        "close",
        "shift_end",
        """
        to until till before by deadline* due* end ends finish* late latest
        close* closing bis vor ende endet schluss* schlie* spatest* frist* fin
        fermeture* tard echeance* avant jusqu* hasta antes cierre* tarde plazo*
        fine chiusura* entro prima scadenza* alle
        """,
    ),
    _topic(
        "window",
        "shift",
        """
        hours window* slot* tw zeitfenster* offnung* horaire* horario* fascia*
        orario* orari creneau* franja* when wann quand cuando quando duty
        dienst dienstzeit* dienstplan* wunsch
        """,
    ),
    _topic("release", "", "release* availab*"),
    _topic("lat", "", "lat latitud* breite*"),
    _topic("lon", "", "lon lng longitud* lange*"),
    _topic("priority", "", "priorit* prioridad*"),
    _topic(
        "service",
        "max_duration",
        """
        service* servici* servizi* duration* minutes mins seconds dwell
        handling unload* loading setup entlade* belade* ablade* dauer* duree*
        dechargement*
        chargement* descarga* duracion* durata* scarico* lenkzeit* arbeitszeit*
        amplitude jornada* shift* schicht* turno* h hr hrs hour hours std
        stunde* heure* hora horas ora ore horaire* horario* orari*
        """,
    ),
    _topic(
        "demand",
        "capacity",
        """
        demand* weight* quantit* qty amount* load loads loaded volume* vol m3
        cbm cubic* pallet* crate* box boxes parcel* package* piece pieces
        carton* container* tote totes item items unit units kg kgs kilo kilos
        kilogra* lb lbs ton tons tonne* tonnage liter* litre* size* seat* tray
        trays capacit*
        payload* gewicht* volumen* menge* stuck* karton* kiste* palette*
        platze* nutzlast* zuladung* lade* kapazit* grosse* poids* colis*
        utile places taille* peso* bulto* caja* cantidad* carga* plazas pale
        pales tamano* capacidad* bancal* colli collo cassa casse portata* posti
        capienza* dimension*
        """,
    ),
    _topic(
        "skills",
        "has_skills",
        """
        skill* qualif* requirement* require equipment* lift hoist refriger*
        cold* cool* frozen* chilled* adr hazard* dangerous* gefahr* kuhl*
        un_no un_nr un_number un_nummer onu hebebuhne* kran ausstattung*
        hayon* frigo* surgel* dangere* danger equipement* congel*
        peligro* elevador* pericol* sponda* attrezzatur*
        """,
    ),
    _topic(
        "served_by",
        "",
        """
        vehicle* truck* van vans trailer* lorr* fleet* driver* crew*
        technician* assigned assignment locked fahrer* fahrzeug* lkw wagen
        anhanger* besatzung* vehicul* camion* remorque* chauffeur* conducteur*
        equipage* technicien* conductor* furgon* remolque* tecnico* veicol*
        mezzo rimorchio* autista* equipaggio* tripula*
        """,
    ),
    _topic(
        "required",
        "",
        "must mandatory required requires compulsory oblig* obblig* pflicht*",
    ),
    _topic(
        "prize",
        "",
        """
        prize* reward* profit* revenue* penal* umsatz* erlos* strafe*
        deckungsbeitrag* chiffre ingreso* ricav* marge* margen* margin*
        """,
    ),
    _topic(
        "different_routes",
        "",
        "not_with apart nicht_mit pas_avec no_con non_con",
    ),
    _topic(
        "same_route",
        "",
        """
        same_route* same_tour* same_trip* same_vehicle* same_truck* same_van*
        together zusammen* meme_tournee meme_vehicule meme_camion misma_ruta
        mismo_vehiculo mismo_camion stesso_giro stesso_percorso stesso_veicolo
        stesso_mezzo
        """,
    ),
    _topic(
        "district",
        "",
        """
        zone zones zona zonas territo* gebiet* bezirk* sektor* sector*
        secteur* settore* region regions area areas
        """,
    ),
    _topic(
        "",
        "max_distance",
        """
        range* reichweite* autonomi* distan* kilomet* chilometr* km miles
        mileage
        """,
    ),
    _topic(
        "pickup",
        "",
        """
        pick pickup* backhaul* ritiro raccolta recogida abhol* enlevement*
        ramassage*
        """,
    ),
    _topic("", "home_depot", "depot* deposito* garage base"),
    _topic(
        "",
        "return_to_depot",
        """
        return returns back ruck* zuruck* retour* rentre* regres* vuelta
        vuelve* ritorn* rientr* round
        """,
    ),
    _topic(
        "window",
        "",
        "arriv* appointment* termin* rendez* cita appuntament*",
    ),
    _topic("window", "shift", "time times zeit* temps tiempo tempo"),
    _topic(
        "",
        "",
        """
        cost costs price* rate rates tariff* toll* fuel fee fees charge*
        charging recharging battery kosten* preis* maut* gebuhr* verbrauch*
        cout* prix peage* tarif* conso* coste* precio* peaje* consumo* costo*
        prezzo pedaggio* speed* profile* geschwindig* vitesse* veloc* q
        max maxim* min minim* mindest* hochst* limit* least most
        depart departure departed
        wait* break* lunch pause* pausa descanso* sosta rest overtime
        uberstund* supplementaires horas_extra straordinar* utilis* auslast*
        compatib* allow* forbid* permi* prohibit* restri* access* zufahrt*
        acces* linehaul collect* return* deliver* drop* precedence predecessor*
        successor* sequence* reihenfolge* secuencia* sequenz* passage group*
        gruppe* grupo* gruppo* frequen* frecuen* rhythmus visit* besuch* day
        days weekday* tag tage jour jours dia dias giorn*
        height* width* hohe*
        hauteur* largeur* altura* anchura* altezza* larghezza* axle*
        achs* essieu* ejes assi gross ptac emission* umwelt* plakette*
        vignette* ambient* class klasse* classe* clase* fragil* zerbrech*
        stack* stapel* apilab* gerbab* sovrappon* stops stopp* arret* parada*
        fermat* reload* route* tour* trip* dock docks hub cluster*
        batch* wave* lot stop radius rayon* radio raggio* optional*
        facultat* unavailable* not active* aktiv* actif* attiv* with same meme
        misma mismo stessa stesso gleich* incompatib* exclu* status* statut*
        estado stato nach only nur seulement uniquement solo solamente soltanto
        morning* afternoon* evening* vormittag* nachmittag* matin* mattin*
        pomerig* manana urgen* dringend* eilig* express* done erledigt*
        fait hecho fatto vip wichtig* importan* stays bleibt reste queda rimane
        comes heimfahrt* heimkehr* letzter_kunde leergut* empties reso separat*
        rank
        """,
    ),
)
"""Words of loads, costs and constraints, by the fields that they may mean."""

_SENSES: Final = {
    sense: _pattern(words)
    for sense, words in {
        "least": "min minim* mindest* mini least lowest shortest untergrenz*",
        "most": """
            max maxi maxim* massim* hochst* limit* most longest largest
            highest obergrenz*
        """,
        "price": """
            cost costs price* rate rates tariff* tarif* toll* fee fees wage*
            salary salaries pay hire rent rental penal* prize* reward* profit*
            revenue* eur usd gbp chf euro euros dollar* per_hour per_h
            per_minute per_min per_km per_mile pro_h pro_min pro_km pro_stunde
            par_h par_min por_h por_min par_km
            par_heure por_hora por_km al_km per_ora all_ora kosten* preis*
            satz* pauschal* maut* gebuhr* lohn* miete* strafe* umsatz* erlos*
            cout* prix peage* salaire* taux location_journaliere ingreso*
            coste* costo
            costos costi precio* peaje* salario* alquiler* prezz* pedaggi*
            paga noleggi* stipendi* ricav* marg* deckungsbeitrag* chiffre
            forfait*
        """,
        "time": """
            hour* minute* minuti* minuto* mins sec secs seconds per_second s
            h hr hrs time times zeit* dauer* duration* duree* duracion* durata*
            temps tiempo* tempo tempi stunde* std heure* hora horas horari*
            horaire* ora ore orari* stundlich* sekund* seconde* segund*
        """,
        "length": """
            km kms kilomet* chilometr* mile miles mileage distan* entfern*
            strecke* range* reichweite* autonomi*
        """,
        "range": "range* reichweite* autonomi*",
        "load": """
            load loads loaded weight* quantit* qty volume* volum* vol kg kgs
            kilo kilos kilogra* t ton tons tonne* tonnage lb lbs m3 cbm
            pallet* capacit* kapazit* payload* gewicht* ladung* nutzlast*
            zuladung* ladevol*
            menge* poids colis charge* utile peso* carga* carico* portata*
            palett* bulto* cantidad* capacidad* pale pales bancal* colli
            crate* box boxes parcel* container* liter* litre* stuck* karton*
        """,
        "handling": """
            service* servic* servizi* unload* loading entlade* belade* ablade*
            handling setup set_up dwell dechargement* chargement* descarga*
            scarico* rust* vorbereit*
        """,
        "wait": """
            wait* idle wart* attente* espera* attes* leerlauf* standby
        """,
        "overtime": """
            overtime uberstund* supplementaires extra* straordinar* mehrarbeit*
        """,
        "driving": """
            driving drive travel* ride transit lenkz* lenkd* fahrt* fahrz*
            fahrd* fahrstund* conduite conduccion guida trajet* viaje* viaggi*
        """,
        "shift": """
            shift* schicht* turno* jornada* amplitude arbeitszeit* lavoro
            working_hours working_time
        """,
        "speed": "speed* geschwindig* vitesse* velocid* velocit* kmh mph",
        "not": """
            not no non ne nicht nie kein* pas sans sin senza ohne without none
            except* never jamais nunca aucun* ningun* nessun* ausser sauf
            excepto eccetto exclu* esclus* ausschl* ausgeschl* incompatib*
            inkompatib* unvertrag* closed geschlossen* ferme fermee fermes
            fermees cerrado cerrada cerrados cerradas chiuso chiusa chiusi
            chiuse gesperrt* sperr* block* bloqu* blocc* blackout forbid*
            prohib* proib* verbot* interdit* vietat* unavailab* indispon*
            inactiv* inaktiv* disabl* deaktiv* desactiv* disattiv* optional*
            facultat* fakultat* opcional* opzional* off frei out_of hors fuera
            fuori absent abwesend* ausente assente broken defekt* defect* panne
            averiad* guast* repair* reparat* werkstatt* taller atelier officina
            maintenance wartung* entretien mantenimiento manutenzion* cancel*
            storn* annul* anulad* delet* gelosch* suppr* suspend* paused skip
            skipped urlaub* vacation* quiet ruhe ruhezeit* repos riposo siesta
            school schul* ecole* escuela* scuola* restri* rush peak pointe
            punta stosszeit* spitzenzeit* avoid* vermeid* evit* busy besetzt
            occupe ocupado occupato banned sold verkauft* vendu vendido venduto
            retired stillgeleg* ausgemustert* hold
        """,
        "special": """
            night* nacht* nuit* noche* nocturn* notturn* weekend* wochenend*
            week_end fin_de_semana fine_settimana sunday* sonntag* dimanche*
            domingo* domenic* holiday* feiertag* festiv* over above beyond uber
            au_dela mas_de plus_de oltre more_than mehr mehrk* additional
            additionnel* adicional* aggiuntiv* zusatz* radius rayon* radio
            raggio* umkreis* shelf haltbar* conserv* age lead prefer* bevorzug*
            wunschf* favorit* usual habit* abitual* last_driver takes accepts
            returns_allowed retouren retours resi devolucion* per_unit*
            per_parcel* per_piece* per_pallet* per_item* per_case* per_carton*
            per_box* je_stuck je_kiste je_karton je_palette pro_stuck*
            pro_kiste* pro_karton* pro_palette* pro_einheit* par_colis
            par_carton par_palette par_piece par_unite por_caja por_bulto
            por_palet por_pieza por_unidad per_collo per_cassa per_pezzo
            per_unita surcharge* zuschlag* aufpreis* supplement supplemento
            suplemento* recargo* discount* rabatt* remise descuento* sconto*
            helper* beifahrer* ayudante* aiutante* week weekly wochen* woche
            wochentl* semaine hebdo* semana semanal* settiman* month* monat*
            mois mensuel* mensual* mensil* mese same meme mismo misma stesso
            stessa gleich* towing anhangelast* parcel_weight pedestrian*
            fussganger* pieton* peaton* pedonal*
        """,
        "return": """
            return returns back ruck* zuruck* retour* rentre* regres* vuelta
            vuelve* ritorn* rientr* round
        """,
        "stops": """
            stop stops stopp* halt* arret* parada* fermat* visit* besuch* order
            orders auftrag* deliver* liefer* livraison* entrega* consegn*
            customer* kunde* client* drop drops job jobs task*
        """,
        "leg": """
            leg legs between zwischen entre tra fra each next previous etapp*
            etape* tramo* tratt* troncon*
        """,
        "gross": """
            gross tare empty leer* brutto* gesamtgewicht* vide vacio vuoto
            ptac ptra kerb curb unladen eigengewicht* lordo bruto brut
        """,
        "part": """
            axle* achs* essieu* eje ejes asse assi tank* battery* batteri*
            akku* fuel* kraftstoff* carburant* combustib*
        """,
        "size": """
            height* width* length* hohe* breite* lange* lang hauteur*
            largeur* longueur* altura* anchura* longitud* altezza* larghezza*
            lunghezza*
        """,
        "early": "early earl* fruh* tot temprano presto",
        "late": "late latest later lateness spat* tard tarde tardi",
        "start": """
            start* begin* anfang* debut* inici* inizi* open opens opening
            apertura* ouverture* offnung* from von ab a_partir partire desde
            dalle depart* abfahr* salida* partenza* ready release* availab*
            after apres despues dopo
        """,
        "end": """
            end ends ending finish* ende endet fin fine close closes closing
            schluss* schlie* cierre* chiusura* fermeture* until till to bis
            hasta jusqu* entro by before avant vor antes prima deadline* due*
            frist* scadenz* echeanc* plazo*
        """,
    }.items()
}
"""What words of names say: a direction, a unit, a price, or what of a day.

A field is proposed only for a name that says nothing which the field is not.
"""


class _Meaning(NamedTuple):
    """What a name of a field may say, and what it must say."""

    may: frozenset[str]
    must: frozenset[str]


def _meaning(must: str, may: str = "") -> _Meaning:
    return _Meaning(_words(f"{must} {may}"), _words(must))


_MEANINGS: Final[dict[str, tuple[_Meaning, ...]]] = {
    "cost_per_time": (_meaning("price time"),),
    "cost_per_overtime": (_meaning("price overtime", "time"),),
    "cost_per_driving_time": (_meaning("price driving time"),),
    "cost_per_distance": (_meaning("price length", "part driving"),),
    "fixed_cost": (_meaning("price"),),
    "shift_start": (_meaning("", "time start early shift"),),
    "shift_end": (_meaning("", "time end late shift return"),),
    "shift": (
        _meaning("", "time start shift"),
        _meaning("start", "time end shift"),
    ),
    "latest_start": (_meaning("late start", "time"),),
    "max_duration": (
        _meaning("most time", "shift"),
        _meaning("shift", "time most"),
    ),
    "max_overtime": (_meaning("overtime", "most time"),),
    "max_stops": (_meaning("most stops"),),
    "min_stops": (_meaning("least stops"),),
    "min_load": (_meaning("least load"),),
    "max_driving_time": (_meaning("most driving time"),),
    "max_distance": (
        _meaning("most length", "range driving"),
        _meaning("range length", "driving"),
    ),
    "capacity": (_meaning("", "load most"),),
    "return_to_depot": (_meaning("return"),),
    "open_route": (
        _meaning("", "start end stops"),
        _meaning("not return"),
    ),
    "open": (_meaning("", "time start early stops"),),
    "close": (
        _meaning("", "time end late stops"),
        _meaning("late start", "time stops"),
    ),
    "window": (
        _meaning("", "time start stops handling"),
        _meaning("start", "time end stops handling"),
    ),
    "release": (_meaning("", "time start stops early"),),
    "lat": (_meaning("", "size stops"),),
    "lon": (_meaning("", "size stops"),),
    "service": (_meaning("", "time handling stops"),),
    "demand": (_meaning("", "load stops gross"),),
    "pickup": (_meaning("", "load stops"),),
    "prize": (_meaning("price", "stops"),),
    "different_routes": (_meaning("", "not stops"),),
}
"""The fields that are proposed; others may say what their names say."""

_BREAKS: Final = _pattern(
    "break* lunch* pause* pausa* descanso* sosta mittag* rest"
)
"""Words of what is no field, whatever stands beside them."""

_NO_SAYS_MORE: Final = _pattern(
    """
    return* back round ruck* zuruck* retour* regres* vuelta ritorn* rientr*
    activ* aktiv* actif* attiv* enabl* in_use in_service working included
    allow* erlaub* autoris* autoriz* permit* permes* consent* access* zugang*
    zufahrt* acces* availab* verfugbar* dispon* possible moglich* posible
    possibil* can may darf kann puede peut puo mandatory compulsory required
    must muss pflicht* oblig* obblig* stack* stapel* gerbab* apilab*
    sovrappon* compatib* mix* misch* serve served deliver liefern
    monday* tuesday* wednesday* thursday* friday* saturday* sunday* montag*
    dienstag* mittwoch* donnerstag* freitag* samstag* sonntag* lundi mardi
    mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves
    viernes sabado domingo lunedi martedi mercoledi giovedi venerdi sabato
    domenica
    """
)
"""Words of what is so unless a cell says no."""

_COUNTED: Final = _words(
    """
    active activated enabled use usage operation included operational valid
    aktiv aktiviert einsatz betrieb gultig
    actif active activee exploitation inclus valide
    activo activa activado activada habilitado habilitada incluido valido
    attivo attiva attivato attivata abilitato abilitata uso incluso valido
    """
)
_AROUND_ROWS: Final = (
    _BESIDE_MARKS | _VEHICLES | _words("in im en is ist est es e")
)
"""Words of rows that count, and what may stand beside them."""

_LONGEST: Final = 40
"""Letters of a word that is taken apart."""


def is_harmless(title: str, *, of_vehicles: bool = False) -> bool:
    """Whether a name is that of a text, a date, or an identification.

    "delivery address" and "Rechnungsnummer" are; "visit day" is not.
    """
    pieces = [piece for piece in map(_bare, pieces_of(title)) if piece]
    if pieces[:1] == ["no"] and "stops" in _senses_of("_".join(pieces[1:2])):
        return False  # "no delivery", unlike "no de commande"
    matter = [piece for piece in pieces if _topics_of([piece])]
    runs: list[Sequence[str]] = [*pairwise(pieces)]
    if of_vehicles:
        runs += [pieces[at : at + 3] for at in range(len(pieces) - 2)]
    joined = [
        "_".join(run)
        for run in runs
        if _topics_of(run) and not any(_topics_of([each]) for each in run)
    ]
    matter += joined
    if any(_is_text(piece) for piece in pieces):
        return _BESIDE_TEXTS.issuperset(
            piece for piece in matter if not _is_text(piece)
        )
    # A "docket number" is one; a "number of widgets" is a count.
    is_loose = len(pieces) > 1 and pieces[-1] in ("no", "number")
    is_loose |= any(re.search(_LOOSE, f"_{piece}_") for piece in pieces)
    if is_loose and not matter:
        return True
    neutral = _BESIDE_MARKS | (_VEHICLES if of_vehicles else frozenset())
    others = [piece for piece in pieces if not _is_mark(piece, neutral)]
    is_known = len(others) < len(pieces) and neutral.issuperset(others)
    return is_known and not joined


def counts_rows(title: str) -> bool:
    """Whether a name says which rows count: "active", "im Einsatz"."""
    pieces = [each for each in pieces_of(title) if each not in _AROUND_ROWS]
    return _COUNTED.issuperset(pieces) and bool(pieces)


def may_matter(title: str) -> bool:
    """Whether a name has a word of a cost, a load or a constraint.

    What a name denies or sets apart may be one too.
    """
    is_known = bool(_topics_of(pieces_of(title)))
    return is_known or not _senses_of(title).isdisjoint(("not", "special"))


def likely_fields(
    title: str, *, of_vehicles: bool = False, says_all: bool = True
) -> list[str] | None:
    """Return the fields that a name may mean, ``None`` without a known word.

    Unless it ``says_all``, what a field must say may be missing.
    """
    pieces = pieces_of(title)
    if re.search(_BREAKS, "_".join(("", *pieces, ""))):
        return []
    topics = _topics_of(pieces)
    fields = [t.vehicles if of_vehicles else t.customers for t in topics]
    likely = [f for f in fields if f and agrees(title, f, says_all=says_all)]
    return likely if topics else None


def agrees(title: str, field: str, *, says_all: bool = True) -> bool:
    """Whether a name says nothing that a field is not, and what it must."""
    said = _senses_of(title)
    meanings = _MEANINGS.get(field) or (
        _Meaning(_senses_of(field) | {"stops"}, frozenset()),
    )
    return any(
        (each.must <= said or not says_all) and said <= each.may
        for each in meanings
    )


def no_says_more(title: str) -> bool:
    """Whether "no" in the cells of a column says more than an empty cell."""
    words = _text_of(pieces_of(title))
    return bool(re.search(_NO_SAYS_MORE, words)) or counts_rows(title)


@lru_cache(maxsize=1024)
def _senses_of(title: str) -> frozenset[str]:
    pieces = pieces_of(title)
    if len(pieces) > 1 and pieces[-1] == "min":
        pieces = [*pieces[:-1], "minutes"]
    text = _text_of(pieces)
    return frozenset(
        s for s, words in _SENSES.items() if re.search(words, text)
    )


def _text_of(pieces: Sequence[str]) -> str:
    return "_".join(("", *pieces, *map(_bare, pieces), ""))


def _bare(word: str) -> str:
    """Return a word without the number at its end: "tw1" is "tw"."""
    return word.rstrip("0123456789")


def _is_text(piece: str) -> bool:
    return re.search(_TEXTS, f"_{piece}_") is not None


def _is_mark(piece: str, neutral: frozenset[str]) -> bool:
    """Whether a word is a mark, or ends with one: "kundennummer"."""
    if piece in _MARKS:
        return True
    return any(
        _is_compound(piece[: -len(end)], neutral)
        for end in _ENDS
        if piece.endswith(end) and len(piece) <= _LONGEST
    )


def _is_compound(piece: str, neutral: frozenset[str]) -> bool:
    """Whether a word is made of neutral ones, with an "s" or "n" after it."""
    rests = {
        piece[len(word) :]
        for word in neutral | _MARKS
        if len(word) > 2 and piece.startswith(word)
    }
    return any(
        rest in ("", "s", "n") or _is_compound(rest, neutral) for rest in rests
    )


def _topics_of(pieces: Sequence[str]) -> list[_Topic]:
    """Return the topics of some words."""
    text = _text_of(pieces)
    return [topic for topic in _TOPICS if re.search(topic.pattern, text)]
